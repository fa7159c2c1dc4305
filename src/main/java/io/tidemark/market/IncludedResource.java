package io.tidemark.market;

/** A related resource that an answer includes in its top-level array {@code included}. */
public enum IncludedResource implements WireValue {
  BASE_TOKEN,
  QUOTE_TOKEN,
  DEX
}
