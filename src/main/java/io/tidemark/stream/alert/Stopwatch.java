package io.tidemark.stream.alert;

import io.tidemark.event.TapeWatch;
import java.time.Duration;
import java.time.Instant;

/**
 * The tape's watch: it runs while the source is written, by anyone, and stands still in gaps. Times that rules ask for
 * are measured with it, so that an hour without an owner is no hour of a condition.
 */
final class Stopwatch {

  /** Ticks come every second; so long without any, and with no other record, nobody wrote. */
  static final Duration GAP = Duration.ofSeconds(10);

  private final TapeWatch read;
  private long tickBefore;

  Stopwatch(TapeWatch read) {
    this.read = read;
    this.tickBefore = at(read.getTickedAt());
  }

  /** Hears of a record stamped so. */
  void hear(Instant stamp) {
    var silence = Duration.between(read.getHeardAt(), stamp);
    if (silence.compareTo(GAP) > 0 && read.getHeardAt().isAfter(Instant.EPOCH)) {
      read.setUnwatched(read.getUnwatched() + silence.toMillis());
      read.setResumedAt(stamp);
    }
    if (!silence.isNegative()) {
      read.setHeardAt(stamp);
    }
  }

  /** Hears a tick. */
  void tick(Instant at) {
    tickBefore = at(read.getTickedAt());
    hear(at);
    read.setTickedAt(at);
  }

  /** What it showed on the tick before the newest one. */
  long oneTickBehind() {
    return tickBefore;
  }

  /** What it showed at a time after the last gap. */
  long at(Instant time) {
    return time.toEpochMilli() - read.getUnwatched();
  }

  /** What it shows for something seen at a time: of what was seen before the last gap, it shows the end of that. */
  long seen(Instant time) {
    return at(time.isBefore(read.getResumedAt()) ? read.getResumedAt() : time);
  }

  /** The time at which it showed that, after the last gap. */
  Instant time(long shown) {
    return Instant.ofEpochMilli(shown + read.getUnwatched());
  }

  /** What was due by then has happened. */
  Instant passed() {
    return read.getPassedAt();
  }

  void pass(Instant time) {
    if (time.isAfter(read.getPassedAt())) {
      read.setPassedAt(time);
    }
  }

  /** To be kept. */
  TapeWatch read() {
    return read;
  }
}
