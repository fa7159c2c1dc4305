package io.tidemark.notify;

import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.Inet6Address;
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

  /** Returns whether an address is loopback, local, carrier-grade NAT, multicast or reserved. */
  static boolean isPrivate(InetAddress address) {
    var bytes = address.getAddress();
    var first = bytes[0] & 0xff;
    var second = bytes[1] & 0xff;
    return address.isLoopbackAddress() || address.isAnyLocalAddress() || address.isLinkLocalAddress()
        || address.isSiteLocalAddress() || address.isMulticastAddress()
        || (address instanceof Inet6Address ? isPrivate6(bytes) : isPrivate4(first, second));
  }

  private static boolean isPrivate4(int first, int second) {
    return first == 0 || first >= 240 || (first == 100 && (second & 0xc0) == 64) || (first == 192 && second == 0)
        || (first == 198 && (second & 0xfe) == 18);
  }

  /**
   * Returns whether an IPv6 address is unique local, or has a form that could hide a private address: NAT64, 6to4,
   * Teredo, or any address that begins with 16 zero bits.
   */
  private static boolean isPrivate6(byte[] bytes) {
    var first = ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
    var second = ((bytes[2] & 0xff) << 8) | (bytes[3] & 0xff);
    return (bytes[0] & 0xfe) == 0xfc || first == 0x2002 || (first == 0x2001 && second == 0)
        || (first == 0x64 && second == 0xff9b) || first == 0;
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
