package io.tidemark.kafka;

import org.apache.kafka.common.TopicPartition;

/**
 * A range of offsets in one partition.
 *
 * @param begin first offset, inclusive
 * @param end end offset, exclusive
 */
public record OffsetRange(String topic, int partition, long begin, long end) {

  public TopicPartition topicPartition() {
    return new TopicPartition(topic, partition);
  }

  public long size() {
    return end - begin;
  }

  /** Returns the first {@code offsets} offsets of this range, or the whole range if it has fewer offsets. */
  public OffsetRange limit(long offsets) {
    return new OffsetRange(topic, partition, begin, Math.min(end, begin + offsets));
  }

  /**
   * Returns whether this range begins after offset 0. If it begins at the earliest offset of its partition, this
   * means that retention has deleted the records before it.
   */
  public boolean isTruncated() {
    return begin > 0;
  }
}
