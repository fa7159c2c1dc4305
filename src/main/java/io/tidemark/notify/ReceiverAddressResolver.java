package io.tidemark.notify;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

/**
 * A resolver for the hosts of receivers. It refuses private addresses unless they are allowed. It checks addresses
 * when connecting, so that a name cannot resolve to a public address first and to a private one afterwards.
 */
final class ReceiverAddressResolver extends AddressResolverGroup<InetSocketAddress> {

  /**
   * The addresses that are loopback, local, carrier-grade NAT, multicast or reserved, or have a form that could hide a
   * private address: NAT64, 6to4, Teredo, or any IPv6 address that begins with 16 zero bits.
   */
  private static final List<IpSubnetFilterRule> PRIVATE = Stream.of(
      "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
      "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "224.0.0.0/3", "::/16", "64:ff9b::/32", "2001::/32",
      "2002::/16", "fc00::/7",
      "fe80::/9", "ff00::/8")
      .map(each -> new IpSubnetFilterRule(each, IpFilterRuleType.REJECT)).toList();

  private final boolean privateAllowed;

  /** Thrown if a host resolves to private addresses only. */
  static final class PrivateAddressException extends RuntimeException {
    PrivateAddressException() {
      super("the receiver's host has a private address. To allow private addresses, set private-addresses: true");
    }
  }

  ReceiverAddressResolver(boolean privateAllowed) {
    this.privateAllowed = privateAllowed;
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
    return new Resolver(executor);
  }

  private List<InetSocketAddress> resolved(InetSocketAddress address) throws UnknownHostException {
    var all = address.isUnresolved()
        ? InetAddress.getAllByName(address.getHostString())
        : new InetAddress[] {address.getAddress()};
    var allowed = Stream.of(all)
        .filter(each -> privateAllowed || !isPrivate(each))
        .map(each -> new InetSocketAddress(each, address.getPort()))
        .toList();
    if (allowed.isEmpty()) {
      throw new PrivateAddressException();
    }
    return allowed;
  }

  static boolean isPrivate(InetAddress address) {
    var socketAddress = new InetSocketAddress(address, 0);
    return PRIVATE.stream().anyMatch(each -> each.matches(socketAddress));
  }

  /** A resolver that treats every address as unresolved, so that each address is checked. */
  private final class Resolver extends AbstractAddressResolver<InetSocketAddress> {

    Resolver(EventExecutor executor) {
      super(executor, InetSocketAddress.class);
    }

    @Override
    protected boolean doIsResolved(InetSocketAddress address) {
      return false;
    }

    @Override
    protected void doResolve(InetSocketAddress address, Promise<InetSocketAddress> promise) throws Exception {
      promise.setSuccess(resolved(address).getFirst());
    }

    @Override
    protected void doResolveAll(InetSocketAddress address, Promise<List<InetSocketAddress>> promise)
        throws Exception {
      promise.setSuccess(resolved(address));
    }
  }
}
