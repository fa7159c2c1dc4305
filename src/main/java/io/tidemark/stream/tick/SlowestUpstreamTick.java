package io.tidemark.stream.tick;

import static java.util.Objects.requireNonNullElse;

import java.time.Instant;
import java.util.stream.IntStream;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The time of a task behind a repartition: the smallest of the newest ticks of all upstream partitions. */
public record SlowestUpstreamTick(KeyValueStore<String, Long> ticks) {

  private static final String NOW = "now";
  private static final Long NONE = Long.MIN_VALUE;

  /** Stores the tick of one upstream partition; gives the time where it advanced, else null. */
  public @Nullable Instant advance(int partition, int partitions, Instant tick) {
    ticks.put(key(partition), tick.toEpochMilli());
    var now = IntStream.range(0, partitions).mapToLong(each -> read(key(each))).min().orElse(NONE);
    if (now <= read(NOW)) {
      return null;
    }
    ticks.put(NOW, now);
    return Instant.ofEpochMilli(now);
  }

  private long read(String key) {
    return requireNonNullElse(ticks.get(key), NONE);
  }

  private static String key(int partition) {
    return "partition/" + partition;
  }
}
