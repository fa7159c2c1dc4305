package io.tidemark.market;

/** Which contracts the answer on a derivatives exchange lists. */
public enum IncludeTickers implements WireValue {
  ALL,
  UNEXPIRED
}
