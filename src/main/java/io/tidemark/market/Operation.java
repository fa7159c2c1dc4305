package io.tidemark.market;

import java.util.List;
import java.util.Locale;

/** One of the 13 operations of the interface document, with the name by which all of Tidemark refers to it. */
public enum Operation implements WireValue {
  TOKEN("One token"),
  DEX_POOLS("Top pools of an exchange"),
  TRENDING_POOLS("Trending pools of a network"),
  NEW_POOLS("Pools created in the past 48 hours, newest first"),
  SEARCH_POOLS("Pools by address, token name or symbol"),
  TOKEN_POOLS("Top pools of a token"),
  POOL("One pool"),
  GLOBAL("The market across all coins"),
  COIN_HISTORY("A coin at 00:00 UTC of a day"),
  COIN_TICKERS("A coin across exchanges"),
  DERIVATIVES_EXCHANGE("A derivatives exchange and its contracts"),
  TREASURY("What a company or government holds"),
  ASSET_PLATFORMS("All asset platforms, or those that support NFTs");

  private static final List<Operation> ALL = List.of(values());

  private final String wire;
  private final String summary;

  Operation(String summary) {
    this.wire = name().toLowerCase(Locale.ROOT);
    this.summary = summary;
  }

  @Override
  public String wire() {
    return wire;
  }

  /** Returns a short description of the operation's answer, for people. */
  public String summary() {
    return summary;
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
