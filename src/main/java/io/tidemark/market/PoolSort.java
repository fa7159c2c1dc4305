package io.tidemark.market;

/** Order of an exchange's pools; the first is the default. */
public enum PoolSort implements WireValue {
  H24_TX_COUNT_DESC,
  H24_VOLUME_USD_DESC
}
