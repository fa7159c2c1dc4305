package io.tidemark.capture.source;

import java.time.Duration;
import java.time.Instant;

/** The times of ticks: one a second, 800 ms after each full second. */
final class TickPhase {

  private static final Duration TICK = Duration.ofSeconds(1);

  /**
   * Delay of a tick after the full second. A candle closes at the second tick that comes 700 ms or more after the end
   * of the candle's window, which is 1.8 seconds after the end.
   */
  private static final Duration PHASE = Duration.ofMillis(800);

  private TickPhase() {}

  /** Returns the time to the next tick that is more than half a second away. */
  static Duration untilNextTick(Instant now) {
    var inPhase = now.toEpochMilli() - PHASE.toMillis();
    var next = (Math.floorDiv(inPhase + TICK.toMillis() / 2, TICK.toMillis()) + 1) * TICK.toMillis();
    return Duration.ofMillis(next - inPhase);
  }
}
