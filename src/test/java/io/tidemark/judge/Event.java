package io.tidemark.judge;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A record in the log of a broker.
 *
 * @param checksum of its timestamp, key and value
 */
record Event(Place place, long timestamp, @Nullable String key, long checksum, Transaction transaction,
    Content content) {

  /** A partition and an offset. */
  record Place(TopicPartition partition, long offset) {

    String topic() {
      return partition.topic();
    }

    @Override
    public String toString() {
      return partition + "@" + offset;
    }
  }

  /**
   * A transaction. The coordinator raises the epoch with each (transactions of version 2), so that both numbers name one.
   *
   * @param epoch epoch of the markers that end it
   */
  record Transaction(long producer, int epoch, End end) {

    String name() {
      return "producer " + producer + " epoch " + epoch;
    }
  }

  /** How a transaction ended in a partition. */
  enum End {
    COMMITTED,
    ABORTED,
    OPEN
  }

  /** What a record says. */
  sealed interface Content {}

  /** An existence of a resource, by the time at which it began, and the number of its change. */
  record Version(long generation, long revision) {}

  /** @param facets by name, without what merges by key */
  record Change(@Nullable String id, Version version, String target, long snapshot, Map<String, Facet> facets)
      implements Content {}

  /** Digests of the values of a facet before and after a change. */
  record Facet(int before, int after) {}

  /** @param facets digests of the values of all facets, by name */
  record State(Version version, Map<String, Integer> facets) implements Content {}

  record Snapshot(long number) implements Content {}

  /**
   * What a ledger says of itself in each transaction.
   *
   * @param session when its owner began
   * @param ends offset after the last record that it knows to be committed, of each partition of the topics of states
   */
  record Position(long session, Map<TopicPartition, Long> ends) implements Content {}

  record Tombstone() implements Content {}

  record Other() implements Content {}

  boolean committed() {
    return transaction.end() == End.COMMITTED;
  }
}
