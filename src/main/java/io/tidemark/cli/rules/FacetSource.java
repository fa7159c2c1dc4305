package io.tidemark.cli.rules;

import io.tidemark.market.Query;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which queries observe a facet of a topic's records.
 *
 * @param facet empty for all that have no row of their own
 * @param observes whether snapshots of a query carry it
 * @param howToWatch what to write under {@code watch} to watch such a query
 */
record FacetSource(String topic, String facet, Predicate<Query<?>> observes, String howToWatch) {

  private static final String POOLS = "networks.N.new-pools, .trending, .dexes.D, .tokens.A.pools or .pools.A";

  /** From the tables of the interface document: which operation carries which attributes, with which parameters. */
  private static final List<FacetSource> TABLE = List.of(
      new FacetSource("pool.changes", "", FacetSource::isPools, POOLS),
      new FacetSource("pool.changes", "token_price", q -> q instanceof Query.TokenPools, "networks.N.tokens.A.pools"),
      new FacetSource("pool.changes", "trade", q -> q instanceof Query.TokenPools, "networks.N.tokens.A.pools"),
      new FacetSource("pool.changes", "composition", FacetSource::hasComposition,
          "networks.N.pools.A: { composition: true }"),
      new FacetSource("pool.changes", "flow", q -> q instanceof Query.PoolByAddress one && one.volumeBreakdown(),
          "networks.N.pools.A: { volume-breakdown: true }"),
      new FacetSource("pool.changes", "lock", q -> q instanceof Query.PoolByAddress, "networks.N.pools.A"),
      new FacetSource("pool.changes", "sentiment", FacetSource::hasCommunity,
          "a list with gt-community-data, such as networks.N.new-pools: { gt-community-data: true }"),
      new FacetSource("pool.listing", "", q -> isPools(q) && !(q instanceof Query.PoolByAddress),
          "networks.N.trending, .new-pools, .dexes.D or .tokens.A.pools"),
      new FacetSource("pool.listing", "trending", q -> q instanceof Query.TrendingPools, "networks.N.trending"),
      new FacetSource("ranking.changes", "", q -> isPools(q) && !(q instanceof Query.PoolByAddress),
          "networks.N.trending, .new-pools, .dexes.D or .tokens.A.pools"),
      new FacetSource("token.changes", "", q -> q instanceof Query.TokenByAddress, "networks.N.tokens.A"),
      new FacetSource("token.changes", "description", q -> q instanceof Query.TokenByAddress || isPools(q), POOLS),
      new FacetSource("token.changes", "pool_price", q -> q instanceof Query.TokenByAddress || isPools(q), POOLS),
      new FacetSource("ticker.changes", "", q -> q instanceof Query.CoinTickers, "coins.C.tickers"),
      new FacetSource("ticker.changes", "depth", q -> q instanceof Query.CoinTickers tickers && tickers.depth(),
          "coins.C.tickers: { depth: true }"),
      new FacetSource("contract.changes", "",
          q -> q instanceof Query.DerivativesExchangeById exchange && exchange.includeTickers() != null,
          "derivatives.E: { tickers: unexpired }"),
      new FacetSource("derivatives-exchange.changes", "", q -> q instanceof Query.DerivativesExchangeById,
          "derivatives.E"),
      new FacetSource("treasury.changes", "", q -> q instanceof Query.PublicTreasury, "treasuries.E"),
      new FacetSource("holding.changes", "", q -> q instanceof Query.PublicTreasury, "treasuries.E"),
      new FacetSource("global.changes", "", q -> q instanceof Query.GlobalMarket, "global"),
      new FacetSource("platform.changes", "", q -> q instanceof Query.AssetPlatforms, "platforms"),
      new FacetSource("coin-day.changes", "", q -> q instanceof Query.CoinHistory, "coins.C.history"));

  /** The row of a facet, or else of its topic; null where the topic has none. */
  static @Nullable FacetSource of(String topic, String facet) {
    var rows = TABLE.stream().filter(each -> each.topic().equals(topic)).toList();
    return rows.stream()
        .filter(each -> each.facet().equals(facet))
        .findFirst()
        .or(() -> rows.stream().filter(each -> each.facet().isEmpty()).findFirst())
        .orElse(null);
  }

  private static boolean isPools(Query<?> query) {
    return switch (query) {
      case Query.DexPools q -> true;
      case Query.TrendingPools q -> true;
      case Query.NewPools q -> true;
      case Query.SearchPools q -> true;
      case Query.TokenPools q -> true;
      case Query.PoolByAddress q -> true;
      case Query.TokenByAddress q -> q.topPools();
      default -> false;
    };
  }

  private static boolean hasComposition(Query<?> query) {
    return switch (query) {
      case Query.PoolByAddress q -> q.composition();
      case Query.TokenByAddress q -> q.composition();
      default -> false;
    };
  }

  private static boolean hasCommunity(Query<?> query) {
    return switch (query) {
      case Query.DexPools q -> q.community();
      case Query.TrendingPools q -> q.community();
      case Query.NewPools q -> q.community();
      case Query.TokenPools q -> q.community();
      default -> false;
    };
  }
}
