package io.tidemark.market;

/** Which contracts of a derivatives exchange come along. */
public enum IncludeTickers implements WireValue {
  ALL("all"),
  UNEXPIRED("unexpired");

  private final String wire;

  IncludeTickers(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
