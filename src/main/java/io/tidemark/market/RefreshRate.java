package io.tidemark.market;

import java.time.Duration;

/**
 * How often the service refreshes what an operation shows: the columns of the document's Limits part. Operations 8, 9
 * and 12 are not in it; 5 minutes (a day's history: 30) are assumed, as for 13 with a Pro key.
 */
public enum RefreshRate {
  PUBLIC(60, 60),
  PRO(10, 30);

  private final Duration single;
  private final Duration list;

  RefreshRate(int single, int list) {
    this.single = Duration.ofSeconds(single);
    this.list = Duration.ofSeconds(list);
  }

  public Duration period(Operation operation) {
    return switch (operation) {
      case TOKEN, POOL -> single;
      case DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS, TOKEN_POOLS -> list;
      case COIN_TICKERS -> Duration.ofMinutes(2);
      case DERIVATIVES_EXCHANGE -> Duration.ofSeconds(30);
      case ASSET_PLATFORMS, GLOBAL, TREASURY -> Duration.ofMinutes(5);
      case COIN_HISTORY -> Duration.ofMinutes(30);
    };
  }
}
