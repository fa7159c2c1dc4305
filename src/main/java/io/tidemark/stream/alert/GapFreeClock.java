package io.tidemark.stream.alert;

import io.tidemark.event.GapFreeClockState;
import io.tidemark.kafka.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A clock that runs while the source is written, by any owner, and stands still in gaps. The durations of rules are
 * measured with it, so an hour without an owner never counts towards {@code for}. It changes with each record, and is
 * in a separate store that is written once per commit.
 */
final class GapFreeClock {

  /**
   * Longest time without a record that is not a gap. Ticks come every second, so the source had no owner if no record
   * comes for longer.
   */
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

  /** Stores the clock if a record changed it. The records of one transaction have the same time. */
  void save() {
    if (isChanged) {
      section.put(KEY, state);
      isChanged = false;
    }
  }

  /**
   * Returns the time of a record: its timestamp, or the time of the newest record if the timestamp is later than any
   * possible before the next tick. Only ticks prove that time has passed. Otherwise, anyone who can write to a topic
   * could stamp a record ahead, and no timer would run.
   */
  Instant timeOf(Instant timestamp) {
    var ticked = state.getTickedAt();
    var isAhead = ticked.isAfter(Instant.EPOCH) && timestamp.isAfter(ticked.plus(GAP));
    return isAhead ? state.getNewestRecordAt() : timestamp;
  }

  /** Advances the clock to the time of a record. A gap before the record stops the clock for as long. */
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

  /** Advances the clock to a tick, and returns the milliseconds of the tick before it. */
  long tick(Instant at) {
    var before = millisAt(state.getTickedAt());
    onRecord(at);
    state.setTickedAt(at);
    isChanged = true;
    return before;
  }

  /** Returns the time of the newest tick, or 1970 if there was none yet. */
  Instant newestTick() {
    return state.getTickedAt();
  }

  /** Returns the milliseconds at a time after the last gap. */
  long millisAt(Instant time) {
    return time.toEpochMilli() - state.getGapMillis();
  }

  /**
   * Returns the reading for an observation. For an observation from before the last gap, it has the milliseconds at
   * the end of the gap.
   */
  Reading readingOf(Instant observedAt) {
    var counted = observedAt.isBefore(state.getResumedAt()) ? state.getResumedAt() : timeOf(observedAt);
    return new Reading(observedAt, millisAt(counted));
  }

  /** Returns the time after the last gap at which the clock showed these milliseconds. */
  Instant timeAt(long millis) {
    return Instant.ofEpochMilli(millis + state.getGapMillis());
  }

  /** Returns the time until which everything that was due has happened. */
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
