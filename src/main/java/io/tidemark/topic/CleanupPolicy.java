package io.tidemark.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What Kafka does with the old records of a topic. */
public sealed interface CleanupPolicy {

  /** As topic configuration. */
  default Map<String, String> config() {
    return switch (this) {
      case Compact() -> Map.of(
          "cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1", "segment.bytes", Compact.SEGMENT);
      case CompactAndDelete(var retention) -> {
        var config = new HashMap<>(new Compact().config());
        config.putAll(new Delete(retention).config());
        config.put("cleanup.policy", "compact,delete");
        yield config;
      }
      case Delete(var retention) -> Map.of(
          "cleanup.policy", "delete", "retention.ms", Long.toString(retention.toMillis()));
    };
  }

  /** Whether a record without a value deletes the key. */
  default boolean isCompacted() {
    return !(this instanceof Delete);
  }

  /** Keeps the newest record of each key forever. */
  record Compact() implements CleanupPolicy {
    /** The newest segment is never compacted, and a restore reads all of it: 16 MiB at most. */
    public static final String SEGMENT = Integer.toString(16 << 20);
  }

  /** Keeps the newest record of each key until it reaches an age: for topics that get new keys without end. */
  record CompactAndDelete(Duration retention) implements CleanupPolicy {}

  /** Deletes every record that reaches an age. */
  record Delete(Duration retention) implements CleanupPolicy {
    public Delete {
      if (retention.isNegative() || retention.isZero()) {
        throw new IllegalArgumentException("topics.retention: more than zero, not " + retention);
      }
    }
  }
}
