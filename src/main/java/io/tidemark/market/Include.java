package io.tidemark.market;

/** A related resource that comes along in the top-level included array. */
public enum Include implements WireValue {
  BASE_TOKEN,
  QUOTE_TOKEN,
  DEX
}
