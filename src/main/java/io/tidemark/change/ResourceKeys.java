package io.tidemark.change;

import io.tidemark.event.Ticker;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Keys that are made of several words: joined by a slash, what could be mistaken in a word percent-encoded. */
final class ResourceKeys {
  private ResourceKeys() {}

  static String of(String... words) {
    return Arrays.stream(words).map(ResourceKeys::plain).collect(Collectors.joining("/"));
  }

  static String of(Ticker ticker) {
    return of(ticker.getCoin(), ticker.getMarket(), ticker.getBase(), ticker.getTarget());
  }

  private static String plain(String word) {
    return word.chars().anyMatch(ResourceKeys::mistakable) ? encoded(word) : word;
  }

  private static boolean mistakable(int character) {
    return character == '/' || character == '%' || Character.isISOControl(character);
  }

  /** Free text as it stands in ids of rankings. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
