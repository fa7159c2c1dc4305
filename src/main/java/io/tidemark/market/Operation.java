package io.tidemark.market;

import java.util.Locale;

/** One of the 13 operations of the interface document, with the name by which all of Tidemark refers to it. */
public enum Operation implements WireValue {
  TOKEN,
  DEX_POOLS,
  TRENDING_POOLS,
  NEW_POOLS,
  SEARCH_POOLS,
  TOKEN_POOLS,
  POOL,
  GLOBAL,
  COIN_HISTORY,
  COIN_TICKERS,
  DERIVATIVES_EXCHANGE,
  TREASURY,
  ASSET_PLATFORMS;

  /** Returns whether the answers are pages of a list of pools. */
  public boolean isListOfPools() {
    return switch (this) {
      case DEX_POOLS, TRENDING_POOLS, NEW_POOLS, SEARCH_POOLS, TOKEN_POOLS -> true;
      default -> false;
    };
  }

  /** Returns the operation with the given wire name. */
  public static Operation of(String wire) {
    return valueOf(wire.toUpperCase(Locale.ROOT));
  }
}
