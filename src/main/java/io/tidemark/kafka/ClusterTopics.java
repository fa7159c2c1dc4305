package io.tidemark.kafka;

import io.tidemark.event.PublishedSchema;
import io.tidemark.event.SourceSlot;
import java.util.List;

/**
 * The topics that all sources of an environment share: the list of the sources, and the schemas of all values. An
 * environment is one of several installations on the same cluster, such as staging.
 *
 * @param prefix first part of the topic names, such as {@code staging-}; empty if the cluster has only one environment
 */
public record ClusterTopics(String prefix) {

  /** Topics without a prefix, for a cluster that has only one environment. */
  public static final ClusterTopics UNPREFIXED = new ClusterTopics("");

  public ClusterTopics {
    if (!prefix.matches("[a-zA-Z0-9._-]{0,100}")) {
      throw new IllegalArgumentException(
          "cluster-prefix: must be at most 100 letters, digits, dots, dashes and underscores, got '" + prefix + "'");
    }
  }

  /**
   * Returns the topic that assigns a slot to each source. Slot n is partition n of this topic, and partitions are added
   * over time. The consumer group that distributes the partitions among instances has the same name as the topic.
   */
  public Topic<SourceSlot> sources() {
    return new Topic<>(prefix + "tidemark-sources", SourceSlot.class, CleanupPolicy.COMPACT,
        "The sources of the cluster, each with a slot of its own", "the slot", List.of());
  }

  /**
   * Returns the topic of the schemas that instances with a built-in registry, of any version, have published: those
   * of their values, and those of stream stores and of the detection memory even if the topics use an external
   * registry. The topic has one partition.
   */
  public Topic<PublishedSchema> schemas() {
    return new Topic<>(prefix + "tidemark-schemas", PublishedSchema.class, CleanupPolicy.COMPACT,
        "The schemas of all values", "the schema's id", List.of());
  }

  public List<Topic<?>> all() {
    return List.of(sources(), schemas());
  }
}
