package io.tidemark.stream.alert;

import io.tidemark.event.GapFreeClockState;
import java.time.Duration;
import java.time.Instant;

/**
 * The tape's watch: it runs while the source is written, by anyone, and stands still in gaps. Times that rules ask for
 * are measured with it, so that an hour without an owner is no hour of a condition.
 */
final class GapFreeClock {

  /** Ticks come every second; so long without any, and with no other record, nobody wrote. */
  static final Duration GAP = Duration.ofSeconds(10);

  private final GapFreeClockState state;
  private long tickBefore;

  GapFreeClock(GapFreeClockState read) {
    this.state = read;
    this.tickBefore = readingAt(read.getTickedAt());
  }

  /** Hears of a record stamped so. */
  void recordSeen(Instant stamp) {
    var silence = Duration.between(state.getNewestRecordAt(), stamp);
    if (silence.compareTo(GAP) > 0 && state.getNewestRecordAt().isAfter(Instant.EPOCH)) {
      state.setGapMillis(state.getGapMillis() + silence.toMillis());
      state.setResumedAt(stamp);
    }
    if (!silence.isNegative()) {
      state.setNewestRecordAt(stamp);
    }
  }

  /** Hears a tick. */
  void tick(Instant at) {
    tickBefore = readingAt(state.getTickedAt());
    recordSeen(at);
    state.setTickedAt(at);
  }

  /** What it showed on the tick before the newest one. */
  long previousTick() {
    return tickBefore;
  }

  /** What it showed at a time after the last gap. */
  long readingAt(Instant time) {
    return time.toEpochMilli() - state.getGapMillis();
  }

  /** What it shows for something seen at a time: of what was seen before the last gap, it shows the end of that. */
  long readingOfObservation(Instant time) {
    return readingAt(time.isBefore(state.getResumedAt()) ? state.getResumedAt() : time);
  }

  /** The time at which it showed that, after the last gap. */
  Instant time(long shown) {
    return Instant.ofEpochMilli(shown + state.getGapMillis());
  }

  /** What was due by then has happened. */
  Instant elapsedUntil() {
    return state.getElapsedUntil();
  }

  void elapseTo(Instant time) {
    if (time.isAfter(state.getElapsedUntil())) {
      state.setElapsedUntil(time);
    }
  }

  /** To be kept. */
  GapFreeClockState state() {
    return state;
  }
}
