package io.tidemark.eventlog;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The question of a body: the words of its path, without base address, and its parameters.
 *
 * @param words decoded: {@code [networks, eth, pools, 0x88e6]}
 */
record BodyQuery(List<String> words, Map<String, String> parameters) {

  static BodyQuery of(String url) {
    var uri = URI.create(url);
    String path = uri.getRawPath().replaceFirst("^.*/api/v3", "").replaceFirst("^/onchain", "");
    return new BodyQuery(
        Arrays.stream(path.split("/")).filter(word -> !word.isEmpty()).map(BodyQuery::decoded).toList(),
        parameters(uri.getRawQuery()));
  }

  /** Which of the document's operations it is, by its fixed words. */
  String operation() {
    return switch (words.get(0)) {
      case "global" -> "global";
      case "search" -> "search_pools";
      case "asset_platforms" -> "asset_platforms";
      case "public_treasury" -> "treasury";
      case "derivatives" -> "derivatives_exchange";
      case "coins" -> words.get(2).equals("history") ? "coin_history" : "coin_tickers";
      case "networks" -> onChain();
      default -> throw new IllegalArgumentException("no operation has the path " + words);
    };
  }

  private String onChain() {
    return switch (words.get(2)) {
      case "trending_pools", "new_pools" -> words.get(2);
      case "dexes" -> "dex_pools";
      case "tokens" -> words.size() == 5 ? "token_pools" : "token";
      case "pools" -> "pool";
      default -> throw new IllegalArgumentException("no operation has the path " + words);
    };
  }

  String word(int place) {
    return words.get(place);
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
