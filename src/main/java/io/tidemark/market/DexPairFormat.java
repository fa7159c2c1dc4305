package io.tidemark.market;

/** How pairs of decentralised exchanges are named; the first is the default. */
public enum DexPairFormat implements WireValue {
  CONTRACT_ADDRESS,
  SYMBOL
}
