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
 * Reads all partitions of topics from the beginning to what is committed at the start.
 *
 * <p>Where a transaction is open on a partition, reading ends at its beginning: to be run after {@code initTransactions},
 * which ends the transactions of earlier ledgers.
 */
public final class TopicRestore {

  private static final Duration POLL = Duration.ofSeconds(1);

  /** Empty polls in a row before reading fails. */
  private static final int MAX_IDLE_POLLS = 60;

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;
  private final long start;

  /** Hears how far reading is. */
  @FunctionalInterface
  interface ProgressListener {
    void restored(long read, long total);
  }

  public TopicRestore(Consumer<byte[], byte[]> consumer, Collection<? extends Topic<?>> topics, int partitions) {
    this.consumer = consumer;
    var all = topics.stream().flatMap(topic -> partitions(topic, partitions)).toList();
    consumer.assign(all);
    consumer.seekToBeginning(all);
    ends = consumer.endOffsets(all);
    start = read();
  }

  /** Reads one record after the other. */
  public void readEach(java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each) {
    readBatches(records -> records.forEach(each), (read, total) -> {});
  }

  /** Reads as many records at once as Kafka returns. */
  void readBatches(java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> batches, ProgressListener progress) {
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
