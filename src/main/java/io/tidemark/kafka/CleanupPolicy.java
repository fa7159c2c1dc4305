package io.tidemark.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The cleanup policy of a topic, by which Kafka removes old records. */
public sealed interface CleanupPolicy {

  /** Returns the policy as topic configuration. */
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

  /**
   * Returns whether Kafka compacts topics with this policy, so that a record without a value deletes the older records
   * with the same key.
   */
  default boolean isCompacted() {
    return !(this instanceof Delete);
  }

  /** A policy that keeps the newest record of each key forever, unless this record is a tombstone. */
  record Compact() implements CleanupPolicy {
    /**
     * Maximum segment size in bytes, 16 MiB. Kafka never compacts the newest segment, so a restore reads every record
     * of that segment.
     */
    public static final String SEGMENT = Integer.toString(16 << 20);
  }

  /**
   * A policy that keeps the newest record of each key until the record is older than the retention, for topics that
   * get new keys without end.
   */
  record CompactAndDelete(Duration retention) implements CleanupPolicy {}

  /** A policy that deletes every record that is older than the retention. */
  record Delete(Duration retention) implements CleanupPolicy {
    public Delete {
      if (retention.isNegative() || retention.isZero()) {
        throw new IllegalArgumentException("topics.retention: must be positive, got " + retention);
      }
    }
  }
}
