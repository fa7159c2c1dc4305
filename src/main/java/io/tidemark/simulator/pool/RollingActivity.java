package io.tidemark.simulator.pool;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** What went through a pool in each window up to a time, and where that took its price. */
public final class RollingActivity {
  private final SimulatedPool pool;
  private final long at;
  private final Map<RollingWindow, TradeTotals> flows = new EnumMap<>(RollingWindow.class);

  public RollingActivity(SimulatedPool pool, long at) {
    this.pool = pool;
    this.at = at;
    var trades = pool.trades();
    var sum = TradeTotals.NONE;
    long later = trades.blockAt(at);
    for (var window : RollingWindow.values()) {
      long earlier = trades.blockAt(at - window.millis());
      sum = sum.plus(trades.between(earlier, later));
      flows.put(window, sum);
      later = earlier;
    }
  }

  SimulatedPool pool() {
    return pool;
  }

  public TradeTotals flow(RollingWindow window) {
    return Objects.requireNonNull(flows.get(window));
  }

  /** Percent by which the base token's USD price moved in a window, or since the pool is there. */
  double move(RollingWindow window) {
    var trades = pool.trades();
    double before = trades.balanceAfter(trades.blockAt(at - window.millis())).baseUsd();
    return 100 * (trades.balanceAfter(trades.blockAt(at)).baseUsd() / before - 1);
  }

  long buyers(RollingWindow window) {
    return distinct(flow(window).buys());
  }

  long sellers(RollingWindow window) {
    return distinct(flow(window).sells());
  }

  /** How many of a pool's traders so many trades are by, when all trade alike: never more than the trades. */
  private long distinct(long trades) {
    double traders = pool.traders();
    long expected = Math.round(traders * -StrictMath.expm1(trades * StrictMath.log1p(-1 / traders)));
    return Math.clamp(expected, Math.min(1, trades), trades);
  }

  double reserveUsd() {
    return pool.balance(at).reserveUsd();
  }
}
