package io.tidemark.ledger;

import io.tidemark.event.StateTopic;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;

/** How far the topics of a state are written by committed transactions, as {@code source.state} records it. */
final class CommittedOffsets {

  private final List<StateTopic> topics = new ArrayList<>();
  /** The ends by name of the topic. */
  private final Map<String, List<Long>> ends = new HashMap<>();

  /**
   * Starts with what a session found.
   *
   * @param atStart as the session found them
   */
  CommittedOffsets(String prefix, List<StateTopic> atStart) {
    atStart.forEach(each -> {
      var copy = StateTopic.newBuilder(each).setEnds(new ArrayList<>(each.getEnds())).build();
      topics.add(copy);
      ends.put(prefix + copy.getTopic(), copy.getEnds());
    });
  }

  /** Notes where a committed record is. */
  void committed(RecordMetadata record) {
    var partitions = ends.get(record.topic());
    if (partitions != null && record.hasOffset() && record.partition() < partitions.size()) {
      partitions.set(record.partition(), Math.max(partitions.get(record.partition()), record.offset() + 1));
    }
  }

  /** The topics with their ends so far. */
  List<StateTopic> topics() {
    return topics.stream().map(each -> StateTopic.newBuilder(each).build()).toList();
  }
}
