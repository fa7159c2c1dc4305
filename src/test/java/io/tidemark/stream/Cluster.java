package io.tidemark.stream;

import io.tidemark.embedded.SharedBroker;
import io.tidemark.event.Control;
import io.tidemark.event.PoolChange;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Layout;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicSetup;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The topics of a fresh source on the shared broker, written to as the ledger does and read as anyone should. */
final class Cluster implements AutoCloseable {

  static final int PARTITIONS = 3;

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final Registry registry = new BuiltInRegistry(topics.all());
  private final KafkaProducer<String, byte[]> producer = producer(topics.prefix());

  Cluster() {
    try (var admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.bootstrapServers()))) {
      new TopicSetup(admin, new Layout(PARTITIONS, (short) 1)).ensure(topics.all());
    }
    producer.initTransactions();
  }

  /** The changes of a sweep in one transaction, then a tick in another. */
  void sweep(List<PoolChange> changes, Instant tick) {
    producer.beginTransaction();
    changes.forEach(change -> producer.send(record(topics.pool().changes(), null, change.getId(), change)));
    producer.commitTransaction();
    producer.beginTransaction();
    IntStream.range(0, PARTITIONS).forEach(partition ->
        producer.send(record(topics.control(), partition, "tick", new Control("tick", tick, 0L, null))));
    producer.commitTransaction();
  }

  /** All that is committed on a topic now. */
  <V extends SpecificRecord> List<V> committed(Topic<V> topic) {
    try (var consumer = consumer()) {
      var partitions = IntStream.range(0, PARTITIONS).mapToObj(n -> new TopicPartition(topic.name(), n)).toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      var values = new ArrayList<V>();
      var serde = topic.serde(registry);
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofMillis(100)).forEach(record -> values.add(serde.decode(topic.name(), record.value())));
      }
      return values;
    }
  }

  @Override
  public void close() {
    producer.close();
  }

  private <V extends SpecificRecord> ProducerRecord<String, byte[]> record(
      Topic<V> topic, Integer partition, String key, V value) {
    return new ProducerRecord<>(topic.name(), partition, key, topic.serde(registry).encode(topic.name(), value));
  }

  private static KafkaProducer<String, byte[]> producer(String prefix) {
    return new KafkaProducer<>(
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, SharedBroker.bootstrapServers(),
            ProducerConfig.TRANSACTIONAL_ID_CONFIG, prefix + "main"),
        new StringSerializer(),
        new ByteArraySerializer());
  }

  private static KafkaConsumer<String, byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of(
            ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, SharedBroker.bootstrapServers(),
            ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed"),
        new StringDeserializer(),
        new ByteArrayDeserializer());
  }
}
