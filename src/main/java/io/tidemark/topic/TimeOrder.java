package io.tidemark.topic;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Puts the records of several partitions in the order of their timestamps, partition by partition in the order of their
 * offsets. Holds records back only while an earlier one may come from another partition.
 */
final class TimeOrder {

  /** Records of one partition that wait; it is paused until half of them are gone. */
  static final int MOST_WAITING = 2_000;

  private final Map<TopicPartition, Long> ends;
  private final Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> waiting = new HashMap<>();

  /** @param ends the offsets up to which records are put in order; what comes later is only appended */
  TimeOrder(Map<TopicPartition, Long> ends) {
    this.ends = ends;
    ends.keySet().forEach(each -> waiting.put(each, new ArrayDeque<>()));
  }

  void add(ConsumerRecord<byte[], byte[]> record) {
    queue(new TopicPartition(record.topic(), record.partition())).add(record);
  }

  private Deque<ConsumerRecord<byte[], byte[]>> queue(TopicPartition partition) {
    return waiting.computeIfAbsent(partition, any -> new ArrayDeque<>());
  }

  /** Takes the next record; null while an earlier one may still come. */
  @Nullable
  ConsumerRecord<byte[], byte[]> next(Map<TopicPartition, Long> positions) {
    var incomplete = ends.keySet().stream().anyMatch(each -> isOpen(each, positions) && queue(each).isEmpty());
    return incomplete
        ? null
        : waiting.values().stream()
            .filter(queue -> !queue.isEmpty())
            .min(Comparator.comparingLong(queue -> queue.element().timestamp()))
            .map(Deque::remove)
            .orElse(null);
  }

  /** Whether all records up to the ends are added. */
  boolean isComplete(Map<TopicPartition, Long> positions) {
    return ends.keySet().stream().noneMatch(each -> isOpen(each, positions));
  }

  private boolean isOpen(TopicPartition partition, Map<TopicPartition, Long> positions) {
    return Objects.requireNonNull(positions.get(partition)) < Objects.requireNonNull(ends.get(partition));
  }

  /** Partitions of which so many records wait that no more are wanted yet. */
  Collection<TopicPartition> full() {
    return longerThan(MOST_WAITING);
  }

  /** Paused partitions of which more records are wanted again. */
  Collection<TopicPartition> drained(Collection<TopicPartition> paused) {
    var stillLong = longerThan(MOST_WAITING / 2);
    return paused.stream().filter(each -> !stillLong.contains(each)).toList();
  }

  private List<TopicPartition> longerThan(int most) {
    return waiting.entrySet().stream().filter(each -> each.getValue().size() > most).map(Map.Entry::getKey).toList();
  }
}
