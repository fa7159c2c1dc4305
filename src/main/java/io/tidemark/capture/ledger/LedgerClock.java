package io.tidemark.capture.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The clock of record timestamps, in whole milliseconds. It follows this machine's clock and never goes back, not
 * even when the owner changes. After a tick, its time is always later than the tick.
 */
final class LedgerClock {

  private final InstantSource time;
  private Instant floor = Instant.EPOCH;

  LedgerClock(InstantSource time) {
    this.time = time;
  }

  /** Makes this clock continue after the timestamp of a record that an earlier ledger wrote. */
  void advancePast(Instant stamped) {
    floor = later(floor, stamped.plusMillis(1));
  }

  Instant stamp() {
    floor = later(floor, time.instant().truncatedTo(ChronoUnit.MILLIS));
    return floor;
  }

  Instant tick() {
    var tick = stamp();
    floor = tick.plusMillis(1);
    return tick;
  }

  /**
   * Returns how far this clock is ahead of the machine's clock, or zero if it is at most a millisecond ahead. This
   * clock stands still for as long as it is ahead.
   */
  Duration ahead() {
    var now = time.instant();
    return floor.isAfter(now.plusMillis(1)) ? Duration.between(now, floor) : Duration.ZERO;
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
