package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.topic.RegistryFailure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads alerts from what is committed on and has them told, up to the first failure. How far it has come is committed
 * after each answer, with when it was and what went wrong last, so that whoever goes on repeats one message at most.
 */
final class DeliverySession {

  private static final Logger LOG = LoggerFactory.getLogger(DeliverySession.class);
  private static final Duration POLL = Duration.ofMillis(100);

  private final Receiver receiver;
  private final Deserializer<Alert> alerts;
  private final Consumer<String, byte[]> consumer;
  private final NotificationQueue queue;
  private final Notifier notifier;
  private final InstantSource clock;

  /** @param consumer closed by its owner */
  DeliverySession(
      Receiver receiver,
      Deserializer<Alert> alerts,
      Consumer<String, byte[]> consumer,
      NotificationQueue queue,
      Notifier notifier,
      InstantSource clock) {
    this.receiver = receiver;
    this.alerts = alerts;
    this.consumer = consumer;
    this.queue = queue;
    this.notifier = notifier;
    this.clock = clock;
  }

  void subscribe(String topic) {
    consumer.subscribe(List.of(topic), new Rebalances());
  }

  /**
   * One message at most. Blocks for a bounded time.
   *
   * @throws org.apache.kafka.common.KafkaException if Kafka does not let it read or commit
   * @throws RegistryFailure if the registry does not say how to read an alert
   */
  void deliverNext() {
    read();
    var notification = queue.next(clock.instant());
    if (notification != null) {
      queue.completed(notifier.send(notification), clock.instant());
    }
    commit();
  }

  private void read() {
    if (queue.hasCapacity()) {
      consumer.resume(consumer.paused());
    } else {
      consumer.pause(consumer.assignment());
    }
    consumer.poll(POLL).forEach(
        record -> queue.add(alert(record), new TopicPartition(record.topic(), record.partition()), record.offset()));
  }

  private @Nullable Alert alert(ConsumerRecord<String, byte[]> record) {
    try {
      return alerts.deserialize(record.topic(), record.value());
    } catch (SerializationException e) {
      LOG.warn("{}: {}-{}@{} is no alert and is passed over: {}", receiver, record.topic(), record.partition(),
          record.offset(), e.getMessage());
      return null;
    }
  }

  private void commit() {
    var done = new HashMap<TopicPartition, OffsetAndMetadata>();
    queue.takeCommittable().forEach((partition, offset) -> done.put(partition, position(offset)));
    if (!done.isEmpty()) {
      consumer.commitSync(done);
    }
  }

  private OffsetAndMetadata position(long offset) {
    return new OffsetAndMetadata(offset, notifier.progress().text());
  }

  /** A new receiver begins with what comes from now on; that is written down at once. */
  private final class Rebalances implements ConsumerRebalanceListener {

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      var committed = consumer.committed(Set.copyOf(partitions));
      Map<TopicPartition, OffsetAndMetadata> begun = new HashMap<>();
      partitions.stream()
          .filter(partition -> committed.get(partition) == null)
          .forEach(partition -> begun.put(partition, position(consumer.position(partition))));
      if (!begun.isEmpty()) {
        consumer.commitSync(begun);
      }
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      commit();
      queue.clear();
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      queue.clear();
    }
  }
}
