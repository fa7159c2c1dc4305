package io.tidemark.serve.mirror;

import io.tidemark.event.SafeText;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import java.time.LocalDate;

/**
 * A hint that says what to put under {@code watch} in the configuration so that the mirror answers a query. A query
 * that is not watched and cannot be answered from known pools is refused. It is not forwarded to the service, because
 * that would spend the source's calls on a reader, and it gets no empty answer, because that would look like data.
 */
final class WatchHint {
  private static final int LONGEST = 100;

  private WatchHint() {}

  /** Returns the failure of a query that no target answers. */
  static Failure.NotFound notWatched(Query<?> query, LocalDate today) {
    var problem = query instanceof Query.PoolByAddress pool
        ? "Pool " + SafeText.escaped(pool.address(), LONGEST) + " is not watched, and no watched list shows it."
        : "This query is not watched.";
    return new Failure.NotFound(problem + " This mirror answers from what Tidemark watches. To watch this query, run"
        + " 'tidemark watch add' or add to the source's configuration: watch: " + watch(query, today));
  }

  /** Returns the failure of a query for a page of a list beyond its watched pages. */
  static Failure.NotFound pageNotWatched(int page, int pages) {
    return new Failure.NotFound(
        "Page %d is not watched. Number of watched pages: %d. Raise 'pages' of this list in the source's configuration"
            .formatted(page, pages));
  }

  private static String watch(Query<?> query, LocalDate today) {
    return switch (query) {
      case Query.TokenByAddress q -> network(q.network(),
          "tokens: { %s: { %s} }".formatted(name(q.address()), q.inactiveSource() ? "inactive-source: true " : ""));
      case Query.TokenPools q -> network(q.network(), "tokens: { %s: { pools: { sort: %s%s } } }"
          .formatted(name(q.tokenAddress()), q.sort().wire(), q.inactiveSource() ? ", inactive-source: true" : ""));
      case Query.DexPools q -> network(q.network(),
          "dexes: { %s: { sort: %s } }".formatted(name(q.dex()), q.sort().wire()));
      case Query.TrendingPools q ->
          network(q.network(), "trending: { durations: [%s] }".formatted(q.duration().wire()));
      case Query.NewPools q -> network(q.network(), "new-pools: {}");
      case Query.PoolByAddress q -> network(q.network(), "pools: { %s: {} }".formatted(name(q.address())));
      case Query.SearchPools q -> "{ searches: [ { query: %s } ] }".formatted(name(q.query()));
      case Query.GlobalMarket q -> "{ global: {} }";
      case Query.CoinHistory q -> "{ coins: { %s: { history: { days: %d } } } }".formatted(
          name(q.id()), Math.max(1, today.toEpochDay() - q.date().toEpochDay()));
      case Query.CoinTickers q -> "{ coins: { %s: { tickers: { %s} } } }".formatted(
          name(q.id()), q.exchangeIds() == null ? "" : "exchange-ids: " + name(q.exchangeIds()) + " ");
      case Query.DerivativesExchangeById q -> "{ derivatives: { %s: %s } }".formatted(name(q.id()),
          q.includeTickers() == null ? "{}"
              : "{ tickers: " + (q.includeTickers() == IncludeTickers.ALL ? "all" : "unexpired") + " }");
      case Query.PublicTreasury q -> "{ treasuries: { %s: {} } }".formatted(name(q.entityId()));
      case Query.AssetPlatforms q -> q.filter() == null
          ? "{ platforms: {} }"
          : "{ platforms: { filter: %s } }".formatted(q.filter().wire());
    };
  }

  private static String network(String network, String watched) {
    return "{ networks: { %s: { %s } } }".formatted(name(network), watched);
  }

  /**
   * Returns a text, cut off after 100 characters and escaped, as a quoted YAML key or value, because anyone can
   * choose the text. The quotes are single quotes, because JSON does not escape these.
   */
  private static String name(String text) {
    return "'" + SafeText.escaped(text, LONGEST).replace("'", "''") + "'";
  }
}
