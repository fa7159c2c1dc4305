package io.tidemark.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** What becomes of a topic's old records. */
public sealed interface CleanupPolicy {

  /** Topic configuration that says so. */
  Map<String, String> config();

  /** The newest record of each key stays, for good. */
  record Compact() implements CleanupPolicy {
    /** The newest segment is never compacted, and a restore reads all of it: 16 MiB at most. */
    private static final String SEGMENT = Integer.toString(16 << 20);

    @Override
    public Map<String, String> config() {
      return Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1", "segment.bytes", SEGMENT);
    }
  }

  /** The newest record of each key stays until it has reached an age: for keys that never end. */
  record CompactAndDelete(Duration retention) implements CleanupPolicy {
    @Override
    public Map<String, String> config() {
      var config = new HashMap<>(new Compact().config());
      config.putAll(new Delete(retention).config());
      config.put("cleanup.policy", "compact,delete");
      return config;
    }
  }

  /** Every record goes when it has reached an age. */
  record Delete(Duration retention) implements CleanupPolicy {
    public Delete {
      if (retention.isNegative() || retention.isZero()) {
        throw new IllegalArgumentException("topics.retention: longer than nothing, not " + retention);
      }
    }

    @Override
    public Map<String, String> config() {
      return Map.of("cleanup.policy", "delete", "retention.ms", Long.toString(retention.toMillis()));
    }
  }
}
