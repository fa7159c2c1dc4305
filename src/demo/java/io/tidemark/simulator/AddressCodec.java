package io.tidemark.simulator;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** A codec between numbers and addresses that appear random, so that no address needs to be stored. */
record AddressCodec(StatelessRandom random) {
  /** The kinds of things that have addresses. The names of the kinds are part of the encoding. */
  enum AddressKind {
    TOKEN,
    POOL,
    LAUNCHED_TOKEN,
    LAUNCH_POOL,
    GRADUATE_POOL
  }

  private static final String BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  private static final int HEX_BYTES = 20;
  private static final int BASE58_BYTES = 32;
  private static final int LONGEST = 66;

  String address(Network network, AddressKind kind, long number) {
    var bytes = bytes(network, kind, number, network.hexadecimal ? HEX_BYTES : BASE58_BYTES);
    return network.hexadecimal ? "0x" + HexFormat.of().formatHex(bytes) : base58(bytes);
  }

  /** Returns a pool id of 32 bytes in hexadecimal, which some exchanges use instead of a pool address. */
  String poolId(Network network, long number) {
    return "0x" + HexFormat.of().formatHex(bytes(network, AddressKind.POOL, number, BASE58_BYTES));
  }

  /**
   * Returns the number that is encoded in an address, or null if the address is not of the given kind and network.
   * The ids that {@link #poolId} returns cannot be decoded.
   */
  @Nullable
  Long number(Network network, AddressKind kind, String address) {
    var bytes = network.hexadecimal ? hex(address) : base58(address);
    if (bytes == null) {
      return null;
    }
    long number = StatelessRandom.unmix(ByteBuffer.wrap(bytes).getLong()) ^ secret(network, kind);
    return number >= 0 && address(network, kind, number).equals(address) ? number : null;
  }

  private byte[] bytes(Network network, AddressKind kind, long number, int size) {
    var bytes = ByteBuffer.allocate(BASE58_BYTES);
    bytes.putLong(StatelessRandom.mix(number ^ secret(network, kind)));
    var rest = random.derive(secret(network, kind)).derive(number);
    for (long i = 0; bytes.hasRemaining(); i++) {
      bytes.putLong(rest.bits(i));
    }
    return Arrays.copyOf(bytes.array(), size);
  }

  private long secret(Network network, AddressKind kind) {
    return random.derive(network.id()).derive(kind.name()).key();
  }

  private static byte @Nullable [] hex(String address) {
    return address.matches("0x[0-9a-f]{40}") ? HexFormat.of().parseHex(address, 2, address.length()) : null;
  }

  private static byte @Nullable [] base58(String address) {
    var value = BigInteger.ZERO;
    for (char digit : address.substring(0, Math.min(LONGEST, address.length())).toCharArray()) {
      int index = BASE58.indexOf(digit);
      if (index < 0) {
        return null;
      }
      value = value.multiply(BigInteger.valueOf(BASE58.length())).add(BigInteger.valueOf(index));
    }
    return value.bitLength() <= BASE58_BYTES * Byte.SIZE ? padded(value) : null;
  }

  private static byte[] padded(BigInteger value) {
    var bytes = new byte[BASE58_BYTES];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = value.shiftRight(Byte.SIZE * (bytes.length - 1 - i)).byteValue();
    }
    return bytes;
  }

  private static String base58(byte[] bytes) {
    var text = new StringBuilder();
    var base = BigInteger.valueOf(BASE58.length());
    for (var rest = new BigInteger(1, bytes); rest.signum() > 0; rest = rest.divide(base)) {
      text.append(BASE58.charAt(rest.mod(base).intValue()));
    }
    return text.reverse().toString();
  }
}
