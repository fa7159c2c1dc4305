package io.tidemark.audit;

import io.tidemark.topic.Topic;

/**
 * What lies committed in one partition.
 *
 * @param begin offset of the first record that is still there
 * @param end offset after the last
 */
public record Span(Topic<?> topic, int partition, long begin, long end) {

  long size() {
    return end - begin;
  }

  /** Its beginning. */
  Span first(long offsets) {
    return new Span(topic, partition, begin, Math.min(end, begin + offsets));
  }

  /** Whether retention has taken records from it. */
  boolean cut() {
    return begin > 0;
  }
}
