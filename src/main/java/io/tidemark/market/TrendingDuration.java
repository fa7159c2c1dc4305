package io.tidemark.market;

/** Duration to sort the trending list by; H24 is the default. */
public enum TrendingDuration implements WireValue {
  M5("5m"),
  H1("1h"),
  H6("6h"),
  H24("24h");

  private final String wire;

  TrendingDuration(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
