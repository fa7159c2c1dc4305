package io.tidemark.ledger;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The time that records are stamped with: this machine's, but never smaller than before, whoever stamped then; and
 * after a tick always larger than the tick. Whole milliseconds.
 */
final class LedgerClock {

  private final InstantSource time;
  private Instant floor = Instant.EPOCH;

  LedgerClock(InstantSource time) {
    this.time = time;
  }

  /** Goes on after a record that an earlier ledger wrote, be it a tick. */
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

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
