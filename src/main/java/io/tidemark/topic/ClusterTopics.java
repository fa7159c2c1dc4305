package io.tidemark.topic;

import io.tidemark.event.PublishedSchema;
import io.tidemark.event.SourceSlot;
import java.util.List;

/**
 * The topics of an environment on a cluster, besides those of its sources.
 *
 * @param prefix first part of their names, such as {@code staging-}; empty for the only environment of a cluster
 */
public record ClusterTopics(String prefix) {

  /** Of the only environment of a cluster. */
  public static final ClusterTopics UNPREFIXED = new ClusterTopics("");

  public ClusterTopics {
    if (!prefix.matches("[a-zA-Z0-9._-]{0,100}")) {
      throw new IllegalArgumentException(
          "cluster-prefix: at most 100 letters, digits, dots, dashes and underscores, not '" + prefix + "'");
    }
  }

  /** Which slot belongs to which source: partition n is slot n. Grows. The consumer group over it has its name. */
  public Topic<SourceSlot> sources() {
    return new Topic<>(prefix + "tidemark-sources", SourceSlot.class, new CleanupPolicy.Compact(),
        "The sources of the cluster, each with a slot of its own", "the slot", List.of());
  }

  /** The schemas of all values, of every version that wrote some. Has one partition. */
  public Topic<PublishedSchema> schemas() {
    return new Topic<>(prefix + "tidemark-schemas", PublishedSchema.class, new CleanupPolicy.Compact(),
        "The schemas of all values", "the schema's id", List.of());
  }

  public List<Topic<?>> all() {
    return List.of(sources(), schemas());
  }
}
