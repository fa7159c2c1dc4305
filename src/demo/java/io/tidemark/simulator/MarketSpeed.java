package io.tidemark.simulator;

import java.time.Duration;

/** The speed of the market: market seconds that pass in a real second. */
record MarketSpeed(double factor) {
  private static final double MILLIS = 1000;

  /** Returns the market seconds from 1970 to a time in epoch milliseconds. */
  double marketSeconds(long at) {
    return at / MILLIS * factor;
  }

  /** Returns the real milliseconds that a span of market time takes. */
  long realMillis(Duration market) {
    return Math.max(1, Math.round(market.toMillis() / factor));
  }
}
