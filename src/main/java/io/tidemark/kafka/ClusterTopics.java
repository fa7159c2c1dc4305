package io.tidemark.kafka;

import io.tidemark.event.PublishedSchema;
import io.tidemark.event.SourceSlot;
import java.util.List;

/**
 * The topics of an environment on a cluster, except the topics of the environment's sources.
 *
 * @param prefix first part of the topic names, such as {@code staging-}; empty if the cluster has only one environment
 */
public record ClusterTopics(String prefix) {

  /** Topics of the only environment of a cluster. */
  public static final ClusterTopics UNPREFIXED = new ClusterTopics("");

  public ClusterTopics {
    if (!prefix.matches("[a-zA-Z0-9._-]{0,100}")) {
      throw new IllegalArgumentException(
          "cluster-prefix: must be at most 100 letters, digits, dots, dashes and underscores, got '" + prefix + "'");
    }
  }

  /**
   * Returns the topic that records the source of each slot. Partition n is slot n, and partitions are added over
   * time. The consumer group that distributes the partitions has the same name as the topic.
   */
  public Topic<SourceSlot> sources() {
    return new Topic<>(prefix + "tidemark-sources", SourceSlot.class, new CleanupPolicy.Compact(),
        "The sources of the cluster, each with a slot of its own", "the slot", List.of());
  }

  /** Returns the topic of the schemas of all values that any version wrote. The topic has one partition. */
  public Topic<PublishedSchema> schemas() {
    return new Topic<>(prefix + "tidemark-schemas", PublishedSchema.class, new CleanupPolicy.Compact(),
        "The schemas of all values", "the schema's id", List.of());
  }

  public List<Topic<?>> all() {
    return List.of(sources(), schemas());
  }
}
