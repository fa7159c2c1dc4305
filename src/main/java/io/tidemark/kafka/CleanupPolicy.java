package io.tidemark.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cleanup policy of a topic, by which Kafka removes old records.
 *
 * @param isCompacted whether Kafka keeps the newest record of each key only, unless it has no value: such a record
 *     deletes the older records with the same key
 * @param retention age at which every record is deleted, for topics that get new keys or records without end; null to
 *     delete no record because of its age
 */
public record CleanupPolicy(boolean isCompacted, @Nullable Duration retention) {

  public static final CleanupPolicy COMPACT = new CleanupPolicy(true, null);

  /**
   * Maximum segment size of a compacted topic in bytes, 16 MiB. Kafka never compacts the newest segment, so a restore
   * reads every record of that segment.
   */
  public static final String SEGMENT = Integer.toString(16 << 20);

  public CleanupPolicy {
    if (!isCompacted && retention == null) {
      throw new IllegalArgumentException("a topic that is not compacted needs a retention");
    }
    if (retention != null && !retention.isPositive()) {
      throw new IllegalArgumentException("topics.retention: must be positive, got " + retention);
    }
  }

  /** Returns the policy as topic configuration. */
  public Map<String, String> config() {
    var config = new HashMap<String, String>();
    config.put("cleanup.policy", !isCompacted ? "delete" : retention == null ? "compact" : "compact,delete");
    if (isCompacted) {
      config.put("min.cleanable.dirty.ratio", "0.1");
      config.put("segment.bytes", SEGMENT);
    }
    if (retention != null) {
      config.put("retention.ms", Long.toString(retention.toMillis()));
    }
    return config;
  }
}
