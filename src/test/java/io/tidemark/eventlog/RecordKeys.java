package io.tidemark.eventlog;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Keys of the tape, made of several words. */
final class RecordKeys {
  private RecordKeys() {}

  /** Words with a slash between them; a word in which one stands is percent-encoded. */
  static String of(String... words) {
    return Arrays.stream(words)
        .map(word -> word.matches("[^/%\\p{Cntrl}]*") ? word : encoded(word))
        .collect(Collectors.joining("/"));
  }

  /** The ranking that a question for a list of pools asks for. */
  static String ranking(BodyQuery asked) {
    return switch (asked.operation()) {
      case "trending_pools" -> of(asked.word(1), "trending", asked.parameter("duration", "24h"));
      case "new_pools" -> of(asked.word(1), "new");
      case "dex_pools" -> of(asked.word(1), "dex", asked.word(3), asked.parameter("sort", "h24_tx_count_desc"));
      case "token_pools" ->
          of(asked.word(1), "token", asked.word(3), asked.parameter("sort", "h24_volume_usd_liquidity_desc"));
      case "token" -> of(asked.word(1), "token", asked.word(3), "top");
      case "search_pools" ->
          "search/" + asked.parameter("network", "*") + "/" + encoded(asked.parameter("query", ""));
      default -> throw new IllegalArgumentException(asked + " does not ask for a list of pools");
    };
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
