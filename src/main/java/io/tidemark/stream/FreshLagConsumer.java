package io.tidemark.stream;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A consumer for a stream application. The lag that it reports is never older than the newest control record that it
 * returned.
 *
 * <p>Kafka Streams processes the records of a task in the order of their timestamps, across partitions. It considers a
 * partition read to its end while the lag at the last fetch is zero. After a pause (a garbage collection, a rebalance,
 * a broker that is slower than another) this lag is out of date. With Kafka's consumer, the ticks of several minutes
 * were then processed before the changes that they cover. So after each poll that returns records of the topic {@code
 * control}, this consumer requests the end offsets. It reports a lag above zero for each partition until the partition
 * is read up to its end offset. The records that a tick covers are committed before the tick, so their offsets are
 * below these end offsets.
 */
final class FreshLagConsumer extends KafkaConsumer<byte[], byte[]> {

  private static final Logger LOG = LoggerFactory.getLogger(FreshLagConsumer.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final String control;
  private final Map<TopicPartition, Long> ends = new HashMap<>();
  private boolean outOfDate;

  /** @param control name of the topic of ticks, rule sets and silences */
  FreshLagConsumer(Map<String, Object> config, String control) {
    super(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    this.control = control;
  }

  /** Returns a supplier of Kafka clients for an application that reads the given control topic. */
  static KafkaClientSupplier clients(String control) {
    return new KafkaClientSupplier() {
      @Override
      public Admin getAdmin(Map<String, Object> config) {
        return Admin.create(config);
      }

      @Override
      public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer());
      }

      @Override
      public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return new FreshLagConsumer(config, control);
      }

      @Override
      public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
        return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      }

      @Override
      public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
        return getRestoreConsumer(config);
      }
    };
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    var records = super.poll(timeout);
    if (outOfDate || records.partitions().stream().anyMatch(each -> each.topic().equals(control))) {
      refreshEnds();
    }
    return records;
  }

  /**
   * Returns the lag of a partition, or empty if the last request for the end offsets failed or Kafka's consumer knows
   * no lag. Kafka Streams then waits for the partition.
   */
  @Override
  public OptionalLong currentLag(TopicPartition partition) {
    var lag = super.currentLag(partition);
    var end = ends.get(partition);
    if (outOfDate || lag.isEmpty()) {
      return OptionalLong.empty();
    }
    return end == null ? lag : OptionalLong.of(Math.max(lag.getAsLong(), end - position(partition)));
  }

  /** Does not fail, because the records that the poll returned would be lost; the next poll requests the ends again. */
  private void refreshEnds() {
    try {
      ends.clear();
      ends.putAll(endOffsets(assignment(), TIMEOUT));
      outOfDate = false;
    } catch (InterruptException e) {
      throw e;
    } catch (KafkaException e) {
      outOfDate = true;
      LOG.warn("cannot read the end offsets of {} partitions; processing waits until they are read. Cause: {}",
          assignment().size(), e.toString());
    }
  }
}
