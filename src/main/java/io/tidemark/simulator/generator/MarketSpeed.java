package io.tidemark.simulator.generator;

import java.time.Duration;

/** How fast the market lives: market seconds in a real one. */
public record MarketSpeed(double factor) {
  private static final double MILLIS = 1000;

  /** Market seconds since 1970. */
  public double marketSeconds(long at) {
    return at / MILLIS * factor;
  }

  /** Real milliseconds that a span of market time takes. */
  public long realMillis(Duration market) {
    return Math.max(1, Math.round(market.toMillis() / factor));
  }
}
