package io.tidemark.stream.tick;

import java.time.Instant;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The time of a task behind a repartition: the smallest of the newest ticks of all upstream partitions. */
public final class SlowestUpstreamTick {

  private static final String NOW = "now";

  private final KeyValueStore<String, Long> ticks;

  public SlowestUpstreamTick(KeyValueStore<String, Long> ticks) {
    this.ticks = ticks;
  }

  /** Stores the tick of one upstream partition; gives the time where it advanced, else null. */
  public @Nullable Instant advance(int partition, int partitions, Instant tick) {
    ticks.put(key(partition), tick.toEpochMilli());
    var now = slowest(partitions);
    var before = ticks.get(NOW);
    if (now == null || (before != null && before >= now)) {
      return null;
    }
    ticks.put(NOW, now);
    return Instant.ofEpochMilli(now);
  }

  /** Null while some partition has sent no tick. */
  private @Nullable Long slowest(int partitions) {
    var slowest = Long.MAX_VALUE;
    for (var partition = 0; partition < partitions; partition++) {
      var tick = ticks.get(key(partition));
      if (tick == null) {
        return null;
      }
      slowest = Math.min(slowest, tick);
    }
    return slowest;
  }

  private static String key(int partition) {
    return "partition/" + partition;
  }
}
