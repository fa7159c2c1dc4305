package io.tidemark.capture.ledger;

import io.tidemark.kafka.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * A reader of all partitions of some topics. It reads from the beginning to given end offsets, or to the end of the
 * records that are committed when the reader is created. The last batches may also include committed records after
 * these ends.
 *
 * <p>If a transaction is open on a partition, only the records before it count as committed.
 * {@link OpenTransactionWait} waits for the end of the transaction.
 */
public final class TopicRestore {

  private static final Duration POLL = Duration.ofSeconds(1);

  /** Maximum number of empty polls in a row before reading fails. */
  private static final int MAX_IDLE_POLLS = 60;

  private final Consumer<byte[], byte[]> consumer;
  private final Map<TopicPartition, Long> ends;
  private final long start;

  /** Creates a reader that reads everything that is committed now. */
  public TopicRestore(Consumer<byte[], byte[]> consumer, Collection<? extends Topic<?>> topics, int partitions) {
    this(consumer, consumer.endOffsets(topics.stream().flatMap(topic -> partitions(topic, partitions)).toList()));
  }

  /** @param ends end offset of every partition to read; all records before it must be committed or aborted */
  TopicRestore(Consumer<byte[], byte[]> consumer, Map<TopicPartition, Long> ends) {
    this.consumer = consumer;
    this.ends = Map.copyOf(ends);
    consumer.assign(ends.keySet());
    consumer.seekToBeginning(ends.keySet());
    start = read();
  }

  /** Reads all records and passes them on one by one. */
  public void readEach(java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> each) {
    readBatches(records -> records.forEach(each), (read, total) -> {});
  }

  /**
   * Reads all records in the batches in which Kafka returns them.
   *
   * @param progress accepts the numbers of offsets that are read and that are to be read; some hold no record
   */
  void readBatches(
      java.util.function.Consumer<ConsumerRecords<byte[], byte[]>> batches, BiConsumer<Long, Long> progress) {
    var total = ends.values().stream().mapToLong(Long::longValue).sum() - start;
    var idle = 0;
    while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
      var before = read();
      batches.accept(consumer.poll(POLL));
      var now = read();
      progress.accept(now - start, total);
      idle = now > before ? 0 : idle + 1;
      if (idle > MAX_IDLE_POLLS) {
        throw new LedgerFailure.TimedOut("Kafka delivered no records for a minute during the restore of "
            + ends.keySet() + "; are the brokers of these partitions up?", null);
      }
    }
  }

  private long read() {
    return ends.keySet().stream().mapToLong(consumer::position).sum();
  }

  private static Stream<TopicPartition> partitions(Topic<?> topic, int count) {
    return IntStream.range(0, count).mapToObj(partition -> new TopicPartition(topic.name(), partition));
  }
}
