package io.tidemark.http.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The address under which a client's connections, its attempts with wrong keys, and its requests without a key are
 * counted.
 */
public final class ClientAddress {

  /** Length of the IPv6 network that a provider assigns to one customer, in bytes. */
  private static final int NETWORK_BYTES = 7;

  private ClientAddress() {}

  /**
   * Returns the client's IPv4 address, or the 56-bit network of the client's IPv6 address, because one customer has
   * the whole network. A client without a known IP address counts as loopback.
   */
  public static String of(@Nullable SocketAddress remote) {
    var address = remote instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress()
        : InetAddress.getLoopbackAddress();
    return address instanceof Inet6Address six ? network(six) + "/" + NETWORK_BYTES * Byte.SIZE
        : address.getHostAddress();
  }

  private static String network(Inet6Address address) {
    var network = new byte[address.getAddress().length];
    System.arraycopy(address.getAddress(), 0, network, 0, NETWORK_BYTES);
    try {
      return InetAddress.getByAddress(network).getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an IPv6 address was rejected for its length", e);
    }
  }
}
