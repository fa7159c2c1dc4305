package io.tidemark.http.server;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The address by which a client without a key is counted. */
public final class ClientAddress {

  private static final int NETWORK_BYTES = 8;

  private ClientAddress() {}

  /** The text of an IPv4 address; of IPv6, the network of 64 bits, since one machine has all of it. */
  public static String of(@Nullable SocketAddress remote) {
    var address = remote instanceof InetSocketAddress internet && internet.getAddress() != null
        ? internet.getAddress()
        : InetAddress.getLoopbackAddress();
    return address instanceof Inet6Address
        ? HexFormat.ofDelimiter(":").formatHex(Arrays.copyOf(address.getAddress(), NETWORK_BYTES))
        : address.getHostAddress();
  }
}
