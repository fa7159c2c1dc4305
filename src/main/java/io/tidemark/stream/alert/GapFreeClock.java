package io.tidemark.stream.alert;

import io.tidemark.event.GapFreeClockState;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * A clock that runs while any owner writes the source, and stands still in gaps without an owner. The durations of
 * rules are measured with this clock, so an hour without an owner never counts towards the {@code for} of a rule. The
 * clock changes with each record, so it is in a separate store that is written once per commit.
 */
final class GapFreeClock {

  /**
   * Maximum time between two consecutive records that does not count as a gap. A tick comes every second, so a longer
   * time without records means that the source had no owner.
   */
  static final Duration GAP = Duration.ofSeconds(10);

  private static final String KEY = "clock";

  private final PrefixedStore<GapFreeClockState> section;
  private final GapFreeClockState state;
  private boolean isChanged;

  GapFreeClock(KeyValueStore<String, byte[]> store, String topic, SchemaRegistry registry) {
    this.section = new PrefixedStore<>(store, KEY, topic, GapFreeClockState.class, registry);
    this.state = Objects.requireNonNullElseGet(section.get(KEY), () -> GapFreeClockState.newBuilder().build());
  }

  /** An event time, and the milliseconds that the clock showed at this time. */
  record Reading(Instant time, long millis) {}

  /**
   * Stores the clock if it has changed. All records of a transaction have the same time, so only the first of them
   * changes the clock.
   */
  void save() {
    if (isChanged) {
      section.put(KEY, state);
      isChanged = false;
    }
  }

  /**
   * Returns the time that counts for a record: its timestamp, or the time of the newest record if the timestamp is
   * more than {@link #GAP} later than the newest tick. Before the first tick, it is always the timestamp. Only ticks
   * prove that time has passed. Without this limit, anyone who can write to a topic could stop all timers with a
   * record that has a future timestamp.
   */
  Instant timeOf(Instant timestamp) {
    var ticked = state.getTickedAt();
    var isAhead = ticked.isAfter(Instant.EPOCH) && timestamp.isAfter(ticked.plus(GAP));
    return isAhead ? state.getNewestRecordAt() : timestamp;
  }

  /**
   * Advances the clock to the time of a record. If there was a gap before the record, the clock stands still for the
   * length of the gap.
   */
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

  /** Advances the clock to a tick, and returns the milliseconds that the clock showed at the previous tick. */
  long tick(Instant at) {
    var before = millisAt(state.getTickedAt());
    onRecord(at);
    state.setTickedAt(at);
    isChanged = true;
    return before;
  }

  /** Returns the time of the newest tick, or 1970 if there was no tick yet. */
  Instant newestTick() {
    return state.getTickedAt();
  }

  /** Returns the milliseconds of all gaps together. */
  long gapMillis() {
    return state.getGapMillis();
  }

  /** Returns the milliseconds that the clock shows at a time after the last gap. */
  long millisAt(Instant time) {
    return time.toEpochMilli() - state.getGapMillis();
  }

  /**
   * Returns the reading for an observation. If the observation was made before the end of the last gap, the reading has
   * the milliseconds that the clock showed at the end of that gap.
   */
  Reading readingOf(Instant observedAt) {
    var counted = observedAt.isBefore(state.getResumedAt()) ? state.getResumedAt() : timeOf(observedAt);
    return new Reading(observedAt, millisAt(counted));
  }

  /** Returns the time after the last gap at which the clock showed the given milliseconds. */
  Instant timeAt(long millis) {
    return Instant.ofEpochMilli(millis + state.getGapMillis());
  }

  /**
   * Returns the time up to which all changes of rules and silences have taken effect. Timers that were due by this
   * time may still wait for their slice.
   */
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
