package io.tidemark.stream.tick;

import java.time.Instant;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The time of a task that reads ticks beside records: one tick behind.
 *
 * <p>Topics are fetched each on its own, so a tick may be here before the last records that it covers. Those are here
 * by the next tick.
 */
public final class PreviousTick {

  private static final String KEY = "tick";

  private final KeyValueStore<String, Long> ticks;

  public PreviousTick(KeyValueStore<String, Long> ticks) {
    this.ticks = ticks;
  }

  /** Takes a tick; up to when things are due with it. Null with the first one. */
  public @Nullable Instant replaceWith(Instant tick) {
    var before = ticks.get(KEY);
    ticks.put(KEY, tick.toEpochMilli());
    return before == null ? null : Instant.ofEpochMilli(before);
  }
}
