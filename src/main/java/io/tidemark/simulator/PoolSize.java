package io.tidemark.simulator;

import java.time.Duration;

/**
 * How big a pool is.
 *
 * @param turnover share of the reserve that is traded in a market day
 * @param block market time from block to block
 * @param life real time for which anybody trades in it
 */
record PoolSize(double reserveUsd, double turnover, Duration block, Duration life) {
  static final Duration FOR_EVER = Duration.ofDays(100_000);

  /** Blocks come no faster, however fast the market lives: then there is more in each. */
  private static final Duration SHORTEST = Duration.ofSeconds(10);

  /** Milliseconds from block to block. */
  long period(Pace pace) {
    return Math.max(SHORTEST.toMillis(), pace.real(block));
  }

  /** Share of the reserve that is traded in an ordinary block. */
  double turnover(Pace pace) {
    return turnover * period(pace) * pace.speed() / Duration.ofDays(1).toMillis();
  }

  long blocks(Pace pace) {
    return life.toMillis() / period(pace);
  }

  double tradeUsd() {
    return Math.max(20, StrictMath.pow(reserveUsd, 0.45));
  }

  double traders() {
    return Math.max(25, Math.sqrt(reserveUsd));
  }
}
