package io.tidemark.stream.alert;

import io.tidemark.event.GapFreeClockState;
import io.tidemark.topic.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A clock that runs while the source is written, by any owner, and stands still in gaps. The times of rules are measured
 * with it: an hour without an owner never counts towards {@code for}. It changes with each record, and is in a store of
 * its own that is written once a commit.
 */
final class GapFreeClock {

  /** Ticks come every second: where no record comes for longer than this, the source had no owner. */
  static final Duration GAP = Duration.ofSeconds(10);

  private static final String KEY = "clock";

  private final PrefixedStore<GapFreeClockState> section;
  private final GapFreeClockState state;
  private boolean isChanged;

  GapFreeClock(KeyValueStore<String, byte[]> store, String topic, SchemaRegistry registry) {
    this.section =
        new PrefixedStore<>(store, KEY + PrefixedStore.SEPARATOR + topic, GapFreeClockState.class, registry);
    this.state = Objects.requireNonNullElseGet(section.get(KEY), () -> GapFreeClockState.newBuilder().build());
  }

  /** An event time, and the milliseconds that the clock showed at it. */
  record Reading(Instant time, long millis) {}

  /** Stores it, where a record changed it: those of one transaction have one time. */
  void save() {
    if (isChanged) {
      section.put(KEY, state);
      isChanged = false;
    }
  }

  /**
   * The time of a record: its timestamp, or that of the newest record where it is later than any before the next tick. Ticks
   * alone say that time has passed: whoever can write to a topic could stamp a record ahead, and no timer would run.
   */
  Instant timeOf(Instant timestamp) {
    var ticked = state.getTickedAt();
    var isAhead = ticked.isAfter(Instant.EPOCH) && timestamp.isAfter(ticked.plus(GAP));
    return isAhead ? state.getNewestRecordAt() : timestamp;
  }

  /** Takes the time of a record: a gap before it stops the clock for as long. */
  void onRecord(Instant timestamp) {
    var pause = Duration.between(state.getNewestRecordAt(), timestamp);
    if (pause.compareTo(GAP) > 0 && state.getNewestRecordAt().isAfter(Instant.EPOCH)) {
      state.setGapMillis(state.getGapMillis() + pause.toMillis());
      state.setResumedAt(timestamp);
    }
    if (pause.isPositive()) {
      state.setNewestRecordAt(timestamp);
      isChanged = true;
    }
  }

  /** Takes a tick and gives the milliseconds of the tick before it. */
  long tick(Instant at) {
    var before = millisAt(state.getTickedAt());
    onRecord(at);
    state.setTickedAt(at);
    isChanged = true;
    return before;
  }

  /** The newest tick; 1970 where there was none yet. */
  Instant newestTick() {
    return state.getTickedAt();
  }

  /** The milliseconds at a time after the last gap. */
  long millisAt(Instant time) {
    return time.toEpochMilli() - state.getGapMillis();
  }

  /** The reading for an observation: for one from before the last gap, the milliseconds at the end of the gap. */
  Reading readingOf(Instant observedAt) {
    var counted = observedAt.isBefore(state.getResumedAt()) ? state.getResumedAt() : timeOf(observedAt);
    return new Reading(observedAt, millisAt(counted));
  }

  /** The time after the last gap at which the clock showed these milliseconds. */
  Instant timeAt(long millis) {
    return Instant.ofEpochMilli(millis + state.getGapMillis());
  }

  /** Until when all that was due has happened. */
  Instant elapsedUntil() {
    return state.getElapsedUntil();
  }

  void elapseUntil(Instant time) {
    if (time.isAfter(state.getElapsedUntil())) {
      state.setElapsedUntil(time);
      isChanged = true;
    }
  }
}
