package io.tidemark.simulator;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** What went through a pool in each window up to a time, and where that took its price. */
final class Activity {
  private final PoolFacts pool;
  private final long at;
  private final Map<Window, Flow> flows = new EnumMap<>(Window.class);

  Activity(PoolFacts pool, long at) {
    this.pool = pool;
    this.at = at;
    var tape = pool.tape();
    var sum = Flow.NONE;
    long later = tape.block(at);
    for (var window : Window.values()) {
      long earlier = tape.block(at - window.millis());
      sum = sum.plus(tape.between(earlier, later));
      flows.put(window, sum);
      later = earlier;
    }
  }

  PoolFacts pool() {
    return pool;
  }

  Flow flow(Window window) {
    return Objects.requireNonNull(flows.get(window));
  }

  /** Percent by which the base token's USD price moved in a window, or since the pool is there. */
  double move(Window window) {
    var tape = pool.tape();
    double before = tape.balance(tape.block(at - window.millis())).baseUsd();
    return 100 * (tape.balance(tape.block(at)).baseUsd() / before - 1);
  }

  long buyers(Window window) {
    return distinct(flow(window).buys());
  }

  long sellers(Window window) {
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
