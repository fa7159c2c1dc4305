package io.tidemark.stream.simulated;

import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The committed records on the topics of aggregates. */
final class CommittedAggregates {

  private final Topics topics;
  private final SchemaRegistry registry;

  CommittedAggregates(Topics topics, SchemaRegistry registry) {
    this.topics = topics;
    this.registry = registry;
  }

  <V extends SpecificRecord> List<V> all(Topic<V> topic) {
    return records(topic).stream().filter(record -> record.value() != null).map(record -> value(topic, record))
        .toList();
  }

  /** The newest record of each key without a tombstone. */
  <V extends SpecificRecord> Map<String, V> newest(Topic<V> topic) {
    var newest = new LinkedHashMap<String, V>();
    for (var record : records(topic)) {
      if (record.value() == null) {
        newest.remove(record.key());
      } else {
        newest.put(record.key(), value(topic, record));
      }
    }
    return newest;
  }

  /** The number of records and transaction markers. */
  long size(Topic<?> topic) {
    try (var consumer = consumer()) {
      return consumer.endOffsets(partitions(topic.name())).values().stream().mapToLong(end -> end).sum();
    }
  }

  /** Whether the application has read, and committed, all ticks and its repartition topic. */
  boolean isAll() throws ExecutionException, InterruptedException {
    var application = topics.prefix() + "stream";
    var kafka = Map.<String, Object>of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, SharedBroker.bootstrapServers());
    try (var admin = Admin.create(kafka)) {
      var read = admin.listConsumerGroupOffsets(application).partitionsToOffsetAndMetadata().get();
      return isReadWhole(topics.control().name(), read)
          && isReadWhole(application + "-aggregates-repartition", read);
    }
  }

  private static boolean isReadWhole(String topic, Map<TopicPartition, OffsetAndMetadata> read) {
    var partitions = partitions(topic);
    if (!read.keySet().containsAll(partitions)) {
      return false;
    }
    try (var consumer = consumer()) {
      consumer.assign(partitions);
      partitions.forEach(each -> consumer.seek(each, read.get(each).offset()));
      var ends = consumer.endOffsets(partitions);
      var records = 0;
      while (records == 0 && partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        records = consumer.poll(Duration.ofMillis(100)).count();
      }
      return records == 0;
    }
  }

  private <V extends SpecificRecord> V value(Topic<V> topic, ConsumerRecord<String, byte[]> record) {
    return topic.serde(registry).decode(topic.name(), record.value());
  }

  private static List<ConsumerRecord<String, byte[]>> records(Topic<?> topic) {
    try (var consumer = consumer()) {
      var partitions = partitions(topic.name());
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      var ends = consumer.endOffsets(partitions);
      var records = new ArrayList<ConsumerRecord<String, byte[]>>();
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofMillis(100)).forEach(records::add);
      }
      return records;
    }
  }

  private static List<TopicPartition> partitions(String topic) {
    return IntStream.range(0, SimulatedDay.PARTITIONS).mapToObj(n -> new TopicPartition(topic, n)).toList();
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
