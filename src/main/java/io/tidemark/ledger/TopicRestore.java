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
 * Reads all partitions of topics from the beginning to what is committed at the start, or to given ends.
 *
 * <p>Where a transaction is open on a partition, what is committed ends at its beginning. {@link OpenTransactionWait} waits
 * for its end.
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

  /** Reads what is committed now. */
  public TopicRestore(Consumer<byte[], byte[]> consumer, Collection<? extends Topic<?>> topics, int partitions) {
    this(consumer, consumer.endOffsets(topics.stream().flatMap(topic -> partitions(topic, partitions)).toList()));
  }

  /**
   * Reads to these ends.
   *
   * @param ends of every partition to be read; all before them is committed or aborted
   */
  TopicRestore(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    this.consumer = consumer;
    this.ends = Map.copyOf(ends);
    consumer.assign(ends.keySet());
    consumer.seekToBeginning(ends.keySet());
    start = read();
  }

  /** Reads one record after the other. */
  public void readEach(java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each) {
    readBatches(records -> records.forEach(each), (read, total) -> {});
  }

  /** Reads all records in the batches in which Kafka returns them. */
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
