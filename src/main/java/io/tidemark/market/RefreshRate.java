package io.tidemark.market;

import java.time.Duration;

/**
 * How often the service refreshes the data of an operation, with a constant for each column in the Limits part of the
 * interface document. The Limits part lacks operations 8, 9 and 12, and operation 13 with a Pro key. For operation 9,
 * 30 minutes are assumed. For operations 8 and 12, and for operation 13 with a Pro key, 5 minutes are assumed.
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
