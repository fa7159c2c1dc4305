package io.tidemark.simulator;

import java.time.Duration;

/** How fast the market lives: market seconds in a real one. */
record Pace(double speed) {
  private static final double MILLIS = 1000;

  /** Market seconds since 1970. */
  double marketSeconds(long at) {
    return at / MILLIS * speed;
  }

  /** Real milliseconds that a span of market time takes. */
  long real(Duration market) {
    return Math.max(1, Math.round(market.toMillis() / speed));
  }
}
