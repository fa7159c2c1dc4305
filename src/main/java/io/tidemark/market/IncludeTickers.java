package io.tidemark.market;

/** Which contracts of a derivatives exchange come along. */
public enum IncludeTickers implements WireValue {
  ALL,
  UNEXPIRED
}
