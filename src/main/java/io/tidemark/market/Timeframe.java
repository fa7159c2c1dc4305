package io.tidemark.market;

/** A timeframe of holdings. */
public enum Timeframe implements WireValue {
  D7("7d"),
  D14("14d"),
  D30("30d"),
  D90("90d"),
  Y1("1y"),
  YTD("ytd");

  private final String wire;

  Timeframe(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
