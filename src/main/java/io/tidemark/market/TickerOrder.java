package io.tidemark.market;

/** Order of a coin's tickers; the first is the default. */
public enum TickerOrder implements WireValue {
  TRUST_SCORE_DESC("trust_score_desc"),
  TRUST_SCORE_ASC("trust_score_asc"),
  VOLUME_DESC("volume_desc"),
  VOLUME_ASC("volume_asc");

  private final String wire;

  TickerOrder(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
