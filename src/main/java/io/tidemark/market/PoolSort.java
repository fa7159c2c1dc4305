package io.tidemark.market;

/** Order of an exchange's pools; the first is the default. */
public enum PoolSort implements WireValue {
  H24_TX_COUNT_DESC("h24_tx_count_desc"),
  H24_VOLUME_USD_DESC("h24_volume_usd_desc");

  private final String wire;

  PoolSort(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
