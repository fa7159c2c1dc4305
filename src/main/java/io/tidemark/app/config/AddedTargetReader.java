package io.tidemark.app.config;

import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.AddedTarget;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Target;
import io.tidemark.yaml.YamlSection;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.stream.Collectors;

/**
 * A parser of the commands that add targets to a source. A command consists of the name of a target, with or without
 * the query parameter {@code include}, and of YAML such as {@code { pages: 2, weight: 3.0, until:
 * "2026-03-10T12:00:00Z" }}.
 */
record AddedTargetReader(String source, RefreshPeriods periods) {

  AddedTarget read(String name, String text) {
    var in = YamlSection.parse("the command", text, null).only("pages", "weight", "until");
    var query = parse(name);
    if (query.operation() == Operation.COIN_HISTORY) {
      throw new IllegalArgumentException(
          "one day of a coin's history is polled only once; watch the coin's history in the configuration instead");
    }
    if (query instanceof Query.CoinTickers tickers && tickers.dexPairFormat() == DexPairFormat.SYMBOL) {
      throw new IllegalArgumentException("tickers are watched by contract address, because several pairs of an exchange"
          + " can have the same symbols; leave out dex_pair_format");
    }
    if (query instanceof Query.TokenByAddress token && token.composition() && !token.topPools()) {
      throw new IllegalArgumentException(
          "include_composition adds the composition to the top pools of a token; add include=top_pools");
    }
    var pages = query instanceof Query.Paged<?> ? in.get("pages", "1").integer(1, 500, "1 to 500") : 1;
    var until = in.find("until");
    return new AddedTarget(
        new WatchedTarget(new Target(source, Endpoints.targetName(query), query, pages), periods.of(query.operation()),
            in.get("weight", "1").number()),
        until == null ? null : until.as(AddedTargetReader::instant));
  }

  private static Instant instant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("until: must be a time such as 2026-03-10T12:00:00Z, not " + text, e);
    }
  }

  /**
   * Parses a target's name. If the name of a pool or of a list of pools has no {@code include}, the query includes
   * everything, which is also the default of the configuration.
   */
  private static Query<?> parse(String name) {
    var query = Endpoints.parseTarget(name);
    var isOfPools = query.operation().isListOfPools() || query.operation() == Operation.POOL;
    return name.contains("include=") || !isOfPools
        ? query
        : Endpoints.parseTarget(name + (name.contains("?") ? "&" : "?") + "include="
            + IncludedResource.ALL.stream().map(IncludedResource::wire).collect(Collectors.joining(",")));
  }
}
