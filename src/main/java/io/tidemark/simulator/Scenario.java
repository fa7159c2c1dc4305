package io.tidemark.simulator;

import io.tidemark.market.Wire;

/** What kind of times the market lives in. */
public enum Scenario implements Wire {
  /** A plausible market, well behaved. */
  CALM("calm"),
  /** Ten times as many launches. */
  LAUNCH_DAY("launch-day"),
  /** Everything strangers and a tired service can send: broken figures, hostile names, shifting pages, failures. */
  DIRTY_DATA("dirty-data");

  private final String wire;

  Scenario(String wire) {
    this.wire = wire;
  }

  @Override
  public String wire() {
    return wire;
  }
}
