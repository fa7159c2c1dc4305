package io.tidemark.kafka;

/** Partition count and replication factor of a source's topics. The partition count is fixed at creation. */
public record TopicLayout(int partitions, short replication) {
  public static final TopicLayout DEFAULT = new TopicLayout(6, (short) 1);

  public TopicLayout {
    if (partitions < 1) {
      throw new IllegalArgumentException("topics.partitions: must be at least 1, got " + partitions);
    }
    if (replication < 1) {
      throw new IllegalArgumentException("topics.replication: must be at least 1, got " + replication);
    }
  }
}
