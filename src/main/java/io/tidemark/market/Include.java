package io.tidemark.market;

/** A related resource that comes along in the top-level included array. */
public enum Include implements WireValue {
  BASE_TOKEN("base_token"),
  QUOTE_TOKEN("quote_token"),
  DEX("dex");

  private final String wire;

  Include(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
