package io.tidemark.ledger;

import io.tidemark.topic.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads topics from their beginning to what is committed at its start, all partitions.
 *
 * <p>The end of a partition that a transaction is open on is where that begins: to be run after {@code
 * initTransactions}, which ends those of earlier ledgers.
 */
public final class TopicRestore {

  private static final Duration POLL = Duration.ofSeconds(1);

  /** Polls in a row that bring nothing, until Kafka is given up. */
  private static final int MAX_IDLE_POLLS = 60;

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;
  private final long start;

  public TopicRestore(Consumer<byte[], byte[]> consumer, Collection<? extends Topic<?>> topics, int partitions) {
    this.consumer = consumer;
    var all = topics.stream().flatMap(topic -> partitions(topic, partitions)).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    ends = consumer.endOffsets(all);
    start = read();
  }

  /** One by one. */
  public void readEach(java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each, RestoreProgress progress) {
    readBatches(records -> records.forEach(each), progress);
  }

  /** As many at once as Kafka gives. */
  void readBatches(java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> batches, RestoreProgress progress) {
    var total = ends.values().stream().mapToLong(Long::longValue).sum() - start;
    var idle = 0;
    while (!done()) {
      var before = read();
      batches.accept(consumer.poll(POLL));
      var now = read();
      progress.restored(now - start, total);
      idle = now > before ? 0 : idle + 1;
      if (idle > MAX_IDLE_POLLS) {
        throw new LedgerFailure.TimedOut("nothing came from Kafka for a minute while restoring " + ends.keySet(), null);
      }
    }
  }

  private boolean done() {
    return ends.entrySet().stream().allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
  }

  private long read() {
    return ends.keySet().stream().mapToLong(consumer::position).sum();
  }

  private static Stream<TopicPartition> partitions(Topic<?> topic, int count) {
    return IntStream.range(0, count).mapToObj(partition -> new TopicPartition(topic.name(), partition));
  }
}
