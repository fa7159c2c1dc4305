package io.tidemark.http.client;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An API key of the service. It is sent in a header and never printed. */
public record ApiKey(String value) {

  /**
   * Minimum length of a key that is masked even within words. A shorter key may be part of other words, such as "demo"
   * in the name of a header.
   */
  private static final int LENGTH_OF_A_SECRET = 12;

  public ApiKey {
    if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new IllegalArgumentException("a key must be one or more visible ASCII characters without spaces");
    }
  }

  /** Returns whether the key is so long that no other text contains it by chance. */
  boolean isLongEnoughToMask() {
    return value.length() >= LENGTH_OF_A_SECRET;
  }

  /** Returns the text with this key masked. A short key is masked only as a whole word. */
  String redacted(String text) {
    return isLongEnoughToMask()
        ? text.replace(value, toString())
        : text.replaceAll("(?<![\\w-])" + Pattern.quote(value) + "(?![\\w-])", toString());
  }

  /** Returns the bytes with this key masked. Works for every encoding that is a superset of ASCII. */
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
