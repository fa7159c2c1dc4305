package io.tidemark.eventlog;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The query that a body answers: the segments of its path, without the base address, and its parameters.
 *
 * @param segments decoded: {@code [networks, eth, pools, 0x88e6]}
 */
record BodyQuery(List<String> segments, Map<String, String> parameters) {

  static BodyQuery of(String url) {
    var uri = URI.create(url);
    String path = uri.getRawPath().replaceFirst("^.*/api/v3", "").replaceFirst("^/onchain", "");
    return new BodyQuery(
        Arrays.stream(path.split("/")).filter(segment -> !segment.isEmpty()).map(BodyQuery::decoded).toList(),
        parameters(uri.getRawQuery()));
  }

  /** Returns the operation of the interface document, by the fixed segments of the path. */
  String operation() {
    return switch (segments.get(0)) {
      case "global" -> "global";
      case "search" -> "search_pools";
      case "asset_platforms" -> "asset_platforms";
      case "public_treasury" -> "treasury";
      case "derivatives" -> "derivatives_exchange";
      case "coins" -> segments.get(2).equals("history") ? "coin_history" : "coin_tickers";
      case "networks" -> onChain();
      default -> throw new IllegalArgumentException("no operation has the path " + segments);
    };
  }

  private String onChain() {
    return switch (segments.get(2)) {
      case "trending_pools", "new_pools" -> segments.get(2);
      case "dexes" -> "dex_pools";
      case "tokens" -> segments.size() == 5 ? "token_pools" : "token";
      case "pools" -> "pool";
      default -> throw new IllegalArgumentException("no operation has the path " + segments);
    };
  }

  String segment(int index) {
    return segments.get(index);
  }

  String parameter(String name, String otherwise) {
    return parameters.getOrDefault(name, otherwise);
  }

  private static Map<String, String> parameters(String query) {
    var parameters = new HashMap<String, String>();
    if (query != null) {
      Arrays.stream(query.split("&")).map(each -> each.split("=", 2))
          .forEach(pair -> parameters.put(decoded(pair[0]), pair.length == 2 ? decoded(pair[1]) : ""));
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
