package io.tidemark.kafka;

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
 * A merge of the records of several partitions by timestamp, which keeps the order of offsets within a partition. A
 * record waits only while another partition may still deliver a record with an earlier timestamp.
 */
final class TimeOrder {

  /**
   * Number of records of one partition that may wait to be returned by {@link #next}. A partition with more waiting
   * records is paused until their number has fallen to half of this number.
   */
  static final int MOST_WAITING = 2_000;

  private final Map<TopicPartition, Long> ends;
  private final Map<TopicPartition, Deque<ConsumerRecord<byte[], byte[]>>> waiting = new HashMap<>();

  /**
   * @param ends offset up to which the records of each partition are put in order; {@link #next} waits for no record at
   *     or after this offset
   */
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

  /**
   * Removes and returns the first waiting record in the order, or returns null if no record waits or an earlier record
   * may still be added.
   */
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

  /** Returns whether all records before the end offsets given to the constructor have been added. */
  boolean isComplete(Map<TopicPartition, Long> positions) {
    return ends.keySet().stream().noneMatch(each -> isOpen(each, positions));
  }

  private boolean isOpen(TopicPartition partition, Map<TopicPartition, Long> positions) {
    return Objects.requireNonNull(positions.get(partition)) < Objects.requireNonNull(ends.get(partition));
  }

  /** Returns the partitions with too many waiting records, which the caller should pause. */
  Collection<TopicPartition> full() {
    return longerThan(MOST_WAITING);
  }

  /** Returns the paused partitions that have few enough waiting records to be resumed. */
  Collection<TopicPartition> drained(Collection<TopicPartition> paused) {
    var stillLong = longerThan(MOST_WAITING / 2);
    return paused.stream().filter(each -> !stillLong.contains(each)).toList();
  }

  private List<TopicPartition> longerThan(int most) {
    return waiting.entrySet().stream().filter(each -> each.getValue().size() > most).map(Map.Entry::getKey).toList();
  }
}
