package io.tidemark.change;

import io.tidemark.event.Ranking;
import io.tidemark.market.Query;
import org.jspecify.annotations.Nullable;

/** The ranking that a list operation answers with: its identity. */
final class RankingIds {
  private RankingIds() {}

  /** Null where the query does not answer with a list of pools. */
  static @Nullable Ranking of(Query<?> query) {
    return switch (query) {
      case Query.TrendingPools q ->
          ranking("trending", q.network(), "trending", q.duration().wire()).setDuration(q.duration().wire()).build();
      case Query.NewPools q -> ranking("new", q.network(), "new").build();
      case Query.DexPools q ->
          ranking("dex", q.network(), "dex", q.dex(), q.sort().wire()).setDex(q.dex()).setSort(q.sort().wire()).build();
      case Query.TokenPools q ->
          ranking("token", q.network(), "token", q.tokenAddress(), q.sort().wire())
              .setToken(q.tokenAddress())
              .setSort(q.sort().wire())
              .build();
      case Query.TokenByAddress q ->
          ranking("top", q.network(), "token", q.address(), "top").setToken(q.address()).build();
      case Query.SearchPools q -> search(q);
      case Query.PoolByAddress q -> null;
      case Query.GlobalMarket q -> null;
      case Query.CoinHistory q -> null;
      case Query.CoinTickers q -> null;
      case Query.DerivativesExchangeById q -> null;
      case Query.PublicTreasury q -> null;
      case Query.AssetPlatforms q -> null;
    };
  }

  private static Ranking.Builder ranking(String kind, String network, String... words) {
    return Ranking.newBuilder()
        .setId(ResourceKeys.of(network) + "/" + ResourceKeys.of(words))
        .setKind(kind)
        .setNetwork(network);
  }

  private static Ranking search(Query.SearchPools query) {
    String network = query.network();
    return Ranking.newBuilder()
        .setId(
            "search/" + (network == null ? "*" : ResourceKeys.of(network)) + "/" + ResourceKeys.encoded(query.query()))
        .setKind("search")
        .setNetwork(network)
        .setQuery(query.query())
        .build();
  }
}
