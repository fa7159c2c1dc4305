package io.tidemark.market;

/** How pairs of decentralised exchanges are named; the first is the default. */
public enum DexPairFormat implements WireValue {
  CONTRACT_ADDRESS("contract_address"),
  SYMBOL("symbol");

  private final String wire;

  DexPairFormat(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
