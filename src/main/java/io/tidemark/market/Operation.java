package io.tidemark.market;

/** One of the document's 13 operations, by the name it has everywhere. */
public enum Operation implements WireValue {
  TOKEN("token"),
  DEX_POOLS("dex_pools"),
  TRENDING_POOLS("trending_pools"),
  NEW_POOLS("new_pools"),
  SEARCH_POOLS("search_pools"),
  TOKEN_POOLS("token_pools"),
  POOL("pool"),
  GLOBAL("global"),
  COIN_HISTORY("coin_history"),
  COIN_TICKERS("coin_tickers"),
  DERIVATIVES_EXCHANGE("derivatives_exchange"),
  TREASURY("treasury"),
  ASSET_PLATFORMS("asset_platforms");

  private final String wire;

  Operation(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }

  /** The operation of that name. */
  public static Operation of(String wire) {
    for (Operation operation : values()) {
      if (operation.wire.equals(wire)) {
        return operation;
      }
    }
    throw new IllegalArgumentException("No operation is called " + wire);
  }
}
