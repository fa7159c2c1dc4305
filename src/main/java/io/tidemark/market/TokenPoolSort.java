package io.tidemark.market;

/** Order of a token's pools; the first is the default. */
public enum TokenPoolSort implements WireValue {
  H24_VOLUME_USD_LIQUIDITY_DESC("h24_volume_usd_liquidity_desc"),
  H24_TX_COUNT_DESC("h24_tx_count_desc"),
  H24_VOLUME_USD_DESC("h24_volume_usd_desc");

  private final String wire;

  TokenPoolSort(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
