package io.tidemark.cli;

import io.tidemark.market.Query;
import java.util.List;
import java.util.function.Predicate;

/**
 * What shows a facet of the records of a topic.
 *
 * @param facet empty: any that has no row of its own
 * @param shows whether looks at a query do
 * @param watch what to write under {@code watch} so that something does
 */
record Shower(String topic, String facet, Predicate<Query<?>> shows, String watch) {

  private static final String POOLS = "networks.N.new-pools, .trending, .dexes.D, .tokens.A.pools or .pools.A";

  /** By the tables of the interface document: which operation carries which attributes, with which parameters. */
  static final List<Shower> TABLE = List.of(
      new Shower("pool.changes", "", Shower::isPools, POOLS),
      new Shower("pool.changes", "token_price", q -> q instanceof Query.TokenPools, "networks.N.tokens.A.pools"),
      new Shower("pool.changes", "trade", q -> q instanceof Query.TokenPools, "networks.N.tokens.A.pools"),
      new Shower("pool.changes", "composition", Shower::hasComposition,
          "networks.N.pools.A: { composition: true }"),
      new Shower("pool.changes", "flow", q -> q instanceof Query.PoolByAddress one && one.volumeBreakdown(),
          "networks.N.pools.A: { volume-breakdown: true }"),
      new Shower("pool.changes", "lock", q -> q instanceof Query.PoolByAddress, "networks.N.pools.A"),
      new Shower("pool.changes", "sentiment", Shower::hasCommunity,
          "a list with gt-community-data, such as networks.N.new-pools: { gt-community-data: true }"),
      new Shower("pool.listing", "", q -> isPools(q) && !(q instanceof Query.PoolByAddress),
          "networks.N.trending, .new-pools, .dexes.D or .tokens.A.pools"),
      new Shower("pool.listing", "trending", q -> q instanceof Query.TrendingPools, "networks.N.trending"),
      new Shower("ranking.changes", "", q -> isPools(q) && !(q instanceof Query.PoolByAddress),
          "networks.N.trending, .new-pools, .dexes.D or .tokens.A.pools"),
      new Shower("token.changes", "", q -> q instanceof Query.TokenByAddress, "networks.N.tokens.A"),
      new Shower("token.changes", "description", q -> q instanceof Query.TokenByAddress || isPools(q), POOLS),
      new Shower("token.changes", "pool_price", q -> q instanceof Query.TokenByAddress || isPools(q), POOLS),
      new Shower("ticker.changes", "", q -> q instanceof Query.CoinTickers, "coins.C.tickers"),
      new Shower("ticker.changes", "depth", q -> q instanceof Query.CoinTickers tickers && tickers.depth(),
          "coins.C.tickers: { depth: true }"),
      new Shower("contract.changes", "",
          q -> q instanceof Query.DerivativesExchangeById exchange && exchange.includeTickers() != null,
          "derivatives.E: { tickers: unexpired }"),
      new Shower("derivatives-exchange.changes", "", q -> q instanceof Query.DerivativesExchangeById, "derivatives.E"),
      new Shower("treasury.changes", "", q -> q instanceof Query.PublicTreasury, "treasuries.E"),
      new Shower("holding.changes", "", q -> q instanceof Query.PublicTreasury, "treasuries.E"),
      new Shower("global.changes", "", q -> q instanceof Query.GlobalMarket, "global"),
      new Shower("platform.changes", "", q -> q instanceof Query.AssetPlatforms, "platforms"),
      new Shower("coin-day.changes", "", q -> q instanceof Query.CoinHistory, "coins.C.history"));

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
