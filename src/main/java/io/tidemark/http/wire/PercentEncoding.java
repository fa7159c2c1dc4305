package io.tidemark.http.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.net.URLEncoder;

/** Percent-encoding of path segments and of names and values in query strings (RFC 3986). Text is UTF-8. */
final class PercentEncoding {

  private PercentEncoding() {}

  /** Encodes a path segment. A segment of only dots is also encoded, because dots would refer to a directory. */
  static String encodeSegment(String text) {
    return text.chars().allMatch(c -> c == '.')
        ? "%2E".repeat(text.length())
        : URLEncoder.encode(text, UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
  }

  /** Encodes a name or value in a query string. Commas and colons stay readable. */
  static String encodeQuery(String text) {
    return encodeSegment(text).replace("%2C", ",").replace("%3A", ":").replace("%2E", ".");
  }

  /** @throws IllegalArgumentException if a percent sign is not followed by two hexadecimal digits */
  static String decode(String text, boolean plusIsSpace) {
    if (text.indexOf('%') < 0 && (!plusIsSpace || text.indexOf('+') < 0)) {
      return text;
    }
    try {
      return URLDecoder.decode(plusIsSpace ? text : text.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + text + "' has a % without two hexadecimal digits", e);
    }
  }
}
