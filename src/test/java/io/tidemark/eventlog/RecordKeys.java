package io.tidemark.eventlog;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Record keys of several parts. */
final class RecordKeys {
  private RecordKeys() {}

  /** Joins parts with slashes; a slash within a part is percent-encoded. */
  static String of(String... parts) {
    return Arrays.stream(parts)
        .map(segment -> segment.matches("[^/%\\p{Cntrl}]*") ? segment : encoded(segment))
        .collect(Collectors.joining("/"));
  }

  /** Returns the ranking that a query for a list of pools asks for. */
  static String ranking(BodyQuery query) {
    return switch (query.operation()) {
      case "trending_pools" -> of(query.segment(1), "trending", query.parameter("duration", "24h"));
      case "new_pools" -> of(query.segment(1), "new");
      case "dex_pools" -> of(query.segment(1), "dex", query.segment(3), query.parameter("sort", "h24_tx_count_desc"));
      case "token_pools" ->
          of(query.segment(1), "token", query.segment(3), query.parameter("sort", "h24_volume_usd_liquidity_desc"));
      case "token" -> of(query.segment(1), "token", query.segment(3), "top");
      case "search_pools" ->
          "search/" + query.parameter("network", "*") + "/" + encoded(query.parameter("query", ""));
      default -> throw new IllegalArgumentException(query + " does not ask for a list of pools");
    };
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
