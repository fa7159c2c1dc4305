package io.tidemark.market;

import java.util.List;
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

  private static final List<Operation> ALL = List.of(values());

  private final String wire;

  Operation() {
    this.wire = name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String wire() {
    return wire;
  }

  /** Returns the operation with the given wire name. */
  public static Operation of(String wire) {
    for (var operation : ALL) {
      if (operation.wire.equals(wire)) {
        return operation;
      }
    }
    throw new IllegalArgumentException("Unknown operation: " + wire);
  }
}
