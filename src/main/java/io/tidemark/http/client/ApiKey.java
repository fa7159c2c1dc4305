package io.tidemark.http.client;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A key of the service. Sent in a header and never printed. */
public record ApiKey(String value) {

  /** A shorter key may be a part of other words, as "demo" is of a header's name. */
  private static final int LENGTH_OF_A_SECRET = 12;

  public ApiKey {
    if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException("a key is one or more visible ASCII characters without spaces");
    }
  }

  /** Returns the text without this key; a short key is removed only as a whole word. */
  String redacted(String text) {
    return value.length() < LENGTH_OF_A_SECRET
        ? text.replaceAll("(?<![\\w-])" + Pattern.quote(value) + "(?![\\w-])", toString())
        : text.replace(value, toString());
  }

  /** The bytes without this key, in any encoding that contains ASCII. */
  byte[] redacted(byte[] bytes) {
    return redacted(new String(bytes, StandardCharsets.ISO_8859_1)).getBytes(StandardCharsets.ISO_8859_1);
  }

  Map<String, String> redacted(Map<String, String> headers) {
    return headers.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, header -> redacted(header.getValue())));
  }

  @Override
  public String toString() {
    return "***";
  }
}
