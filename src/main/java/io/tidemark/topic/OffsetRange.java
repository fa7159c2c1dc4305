package io.tidemark.topic;

/**
 * What lies committed in one partition.
 *
 * @param begin offset of the first record that is still there
 * @param end offset after the last
 */
public record OffsetRange(Topic<?> topic, int partition, long begin, long end) {

  public long size() {
    return end - begin;
  }

  /** Its beginning. */
  public OffsetRange limit(long offsets) {
    return new OffsetRange(topic, partition, begin, Math.min(end, begin + offsets));
  }

  /** Whether retention has taken records from it. */
  public boolean isTruncated() {
    return begin > 0;
  }
}
