package io.tidemark.market;

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
    for (Operation operation : values()) {
      if (operation.wire().equals(wire)) {
        return operation;
      }
    }
    throw new IllegalArgumentException("No operation is called " + wire);
  }
}
