package io.tidemark.topic;

import org.apache.kafka.common.TopicPartition;

/**
 * A range of offsets in one partition.
 *
 * @param begin first offset
 * @param end offset after the last
 */
public record OffsetRange(String topic, int partition, long begin, long end) {

  public TopicPartition topicPartition() {
    return new TopicPartition(topic, partition);
  }

  public long size() {
    return end - begin;
  }

  /** At most so many offsets from its beginning. */
  public OffsetRange limit(long offsets) {
    return new OffsetRange(topic, partition, begin, Math.min(end, begin + offsets));
  }

  /** Whether retention has deleted records before it. */
  public boolean isTruncated() {
    return begin > 0;
  }
}
