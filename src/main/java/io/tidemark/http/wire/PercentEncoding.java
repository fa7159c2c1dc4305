package io.tidemark.http.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Percent-encoding of path segments and of query names and values (RFC 3986); text is UTF-8. */
final class PercentEncoding {
  private static final String UNRESERVED = "-._~";
  private static final String HEX = "0123456789ABCDEF";

  private PercentEncoding() {}

  /** A path segment. A segment of dots only is encoded too, as it would name a folder. */
  static String encodeSegment(String text) {
    return text.chars().allMatch(c -> c == '.') ? "%2E".repeat(text.length()) : encode(text, UNRESERVED);
  }

  /** A name or value in a query string. Commas and colons stay readable. */
  static String encodeQuery(String text) {
    return encode(text, UNRESERVED + ",:");
  }

  /** @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits */
  static String decode(String text, boolean plusIsSpace) {
    var bytes = new ByteArrayOutputStream(text.length());
    var raw = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] == '%') {
        bytes.write((hex(text, raw, i + 1) << 4) | hex(text, raw, i + 2));
        i += 2;
      } else {
        bytes.write(raw[i] == '+' && plusIsSpace ? ' ' : raw[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static int hex(String text, byte[] raw, int at) {
    int digit = at < raw.length ? Character.digit(raw[at], 16) : -1;
    if (digit < 0) {
      throw new IllegalArgumentException("'" + text + "' has a % without two hexadecimal digits");
    }
    return digit;
  }

  private static String encode(String text, String plain) {
    var out = new StringBuilder(text.length());
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (isLetterOrDigit(b) || plain.indexOf(b) >= 0) {
        out.append((char) b);
      } else {
        out.append('%').append(HEX.charAt((b >> 4) & 15)).append(HEX.charAt(b & 15));
      }
    }
    return out.toString();
  }

  private static boolean isLetterOrDigit(byte b) {
    return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9');
  }
}
