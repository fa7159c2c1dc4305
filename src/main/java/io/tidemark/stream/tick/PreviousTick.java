package io.tidemark.stream.tick;

import java.time.Instant;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The tick before the newest one: the time of a task that reads ticks merged with records.
 *
 * <p>Kafka fetches each topic on its own, so a tick may be read before the last records that it covers. By the next tick
 * they are read.
 */
public record PreviousTick(KeyValueStore<String, Long> ticks) {

  private static final String KEY = "tick";

  /** Stores a tick and gives the one before it: what was due by then is due now. Null for the first tick. */
  public @Nullable Instant replaceWith(Instant tick) {
    var before = ticks.get(KEY);
    ticks.put(KEY, tick.toEpochMilli());
    return before == null ? null : Instant.ofEpochMilli(before);
  }
}
