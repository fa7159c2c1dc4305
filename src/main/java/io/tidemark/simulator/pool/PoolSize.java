package io.tidemark.simulator.pool;

import io.tidemark.simulator.generator.MarketSpeed;
import java.time.Duration;

/**
 * Size and pace of an established pool.
 *
 * @param turnover share of the reserve that is traded in a market day
 * @param block market time from block to block
 * @param tradingPeriod real time in which anybody trades in it
 */
record PoolSize(double reserveUsd, double turnover, Duration block, Duration tradingPeriod) {
  static final Duration FOR_EVER = Duration.ofDays(100_000);

  /** Real time between blocks is never shorter; at high speed there is more in each block. */
  private static final Duration SHORTEST = Duration.ofSeconds(10);

  /** Real milliseconds from block to block. */
  long period(MarketSpeed speed) {
    return Math.max(SHORTEST.toMillis(), speed.realMillis(block));
  }

  /** Share of the reserve that is traded in an ordinary block. */
  double turnover(MarketSpeed speed) {
    return turnover * period(speed) * speed.factor() / Duration.ofDays(1).toMillis();
  }

  long blocks(MarketSpeed speed) {
    return tradingPeriod.toMillis() / period(speed);
  }

  double tradeUsd() {
    return Math.max(20, StrictMath.pow(reserveUsd, 0.45));
  }

  double traders() {
    return Math.max(25, Math.sqrt(reserveUsd));
  }
}
