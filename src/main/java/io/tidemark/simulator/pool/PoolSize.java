package io.tidemark.simulator.pool;

import io.tidemark.simulator.generator.MarketSpeed;
import java.time.Duration;

/**
 * How big a pool is.
 *
 * @param turnover share of the reserve that is traded in a market day
 * @param block market time from block to block
 * @param lifetime real time for which anybody trades in it
 */
record PoolSize(double reserveUsd, double turnover, Duration block, Duration lifetime) {
  static final Duration FOR_EVER = Duration.ofDays(100_000);

  /** Blocks come no faster, however fast the market lives: then there is more in each. */
  private static final Duration SHORTEST = Duration.ofSeconds(10);

  /** Milliseconds from block to block. */
  long period(MarketSpeed speed) {
    return Math.max(SHORTEST.toMillis(), speed.realMillis(block));
  }

  /** Share of the reserve that is traded in an ordinary block. */
  double turnover(MarketSpeed speed) {
    return turnover * period(speed) * speed.factor() / Duration.ofDays(1).toMillis();
  }

  long blocks(MarketSpeed speed) {
    return lifetime.toMillis() / period(speed);
  }

  double tradeUsd() {
    return Math.max(20, StrictMath.pow(reserveUsd, 0.45));
  }

  double traders() {
    return Math.max(25, Math.sqrt(reserveUsd));
  }
}
