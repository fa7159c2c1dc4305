package io.tidemark.market;

/** Order of a token's pools; the first is the default. */
public enum TokenPoolSort implements WireValue {
  H24_VOLUME_USD_LIQUIDITY_DESC,
  H24_TX_COUNT_DESC,
  H24_VOLUME_USD_DESC
}
