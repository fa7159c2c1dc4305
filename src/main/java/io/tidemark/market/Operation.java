package io.tidemark.market;

import java.util.Arrays;

/** One of the document's 13 operations, by the name it has everywhere. */
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

  /** The operation of that name. */
  public static Operation of(String wire) {
    return Arrays.stream(values())
        .filter(operation -> operation.wire().equals(wire))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No operation is called " + wire));
  }
}
