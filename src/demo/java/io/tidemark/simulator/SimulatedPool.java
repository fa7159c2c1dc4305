package io.tidemark.simulator;

import io.tidemark.simulator.TradeHistory.PoolBalance;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A pool with its constant attributes and its trades.
 *
 * @param fee fee in percent, as in the name of the pool; null if the name has no fee
 * @param traders number of people who trade in the pool
 */
record SimulatedPool(
    String address, String dex, @Nullable String fee, SimulatedToken base, SimulatedToken quote, TradeHistory trades,
    double traders) {
  private static final long DAY = Duration.ofDays(1).toMillis();

  String id() {
    return network().id() + "_" + address;
  }

  Network network() {
    return base.network();
  }

  long created() {
    return trades.created();
  }

  PoolBalance balance(long at) {
    return trades.balanceAfter(trades.blockAt(at));
  }

  long lastTrade(long at) {
    return trades.timeOf(trades.blockAt(at));
  }

  /** Returns whether anybody traded in the pool, or created it, in the last day. */
  boolean isActive(long at) {
    return lastTrade(at) > at - DAY;
  }

  boolean holds(SimulatedToken token) {
    return base.is(token) || quote.is(token);
  }

  String pair() {
    return base.symbol() + " / " + quote.symbol();
  }
}
