package io.tidemark.simulator;

import java.time.Duration;

/** Market seconds that pass in a real second. */
record MarketSpeed(double factor) {
  private static final double MILLIS = 1000;

  /** Market seconds from 1970 to a time in epoch milliseconds. */
  double marketSeconds(long at) {
    return at / MILLIS * factor;
  }

  /** Real milliseconds that a span of market time takes. */
  long realMillis(Duration market) {
    return Math.max(1, Math.round(market.toMillis() / factor));
  }
}
