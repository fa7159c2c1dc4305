package io.tidemark.config;

import io.tidemark.market.Query;

/** What a query is about: parameters that are part of no resource's key left out. */
final class Subject {

  private Subject() {}

  static String of(Query<?> query) {
    return query.operation().wire() + " " + switch (query) {
      case Query.TokenByAddress q -> q.network() + " " + q.address();
      case Query.DexPools q -> q.network() + " " + q.dex() + " " + q.sort();
      case Query.TrendingPools q -> q.network() + " " + q.duration();
      case Query.NewPools q -> q.network();
      case Query.SearchPools q -> q.network() + " " + q.query();
      case Query.TokenPools q -> q.network() + " " + q.tokenAddress() + " " + q.sort();
      case Query.PoolByAddress q -> q.network() + " " + q.address();
      case Query.GlobalMarket q -> "";
      case Query.CoinHistory q -> q.id() + " " + q.date();
      case Query.CoinTickers q -> q.id();
      case Query.DerivativesExchangeById q -> q.id();
      case Query.PublicTreasury q -> q.entityId();
      case Query.AssetPlatforms q -> String.valueOf(q.filter());
    };
  }
}
