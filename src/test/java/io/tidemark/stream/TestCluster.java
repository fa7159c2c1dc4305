package io.tidemark.stream;

import io.tidemark.event.Control;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The topics of a fresh source, written as the ledger writes, read as consumers should. */
final class TestCluster implements AutoCloseable {

  static final int PARTITIONS = 3;

  /** Times of tests may be long ago. */
  static final Retention LONG =
      new Retention(Duration.ofDays(36_500), Duration.ofDays(36_500), Duration.ofDays(36_500), Duration.ofDays(14));

  final KafkaAccess kafka;
  final Topics topics;
  final SchemaRegistry registry;
  private final KafkaProducer<String, byte[]> producer;
  private RuleSet rules = RuleSet.EMPTY;

  TestCluster(KafkaAccess kafka, String prefix) {
    this.kafka = kafka;
    this.topics = new Topics(prefix, LONG);
    this.registry = new BuiltInRegistry(topics.all());
    this.producer = producer();
    try (var admin = Admin.create(kafka.client())) {
      new TopicSetup(admin, new TopicLayout(PARTITIONS, (short) 1)).ensure(topics.all());
    }
    producer.initTransactions();
  }

  /** The application over these topics. */
  StreamApplication start(Path directory) {
    return start(directory, Map.of());
  }

  StreamApplication start(Path directory, Map<String, String> properties) {
    return StreamApplication.start(
        topics, registry, (BuiltInRegistry) registry, quarantine(topics), Traces.OFF,
        settings(kafka, directory, properties));
  }

  /** Of the records that the application of a source cannot use. */
  static Quarantine quarantine(Topics topics) {
    return new Quarantine("main", ReaderRole.STREAM, StreamApplication.inputs(topics), InstantSource.system());
  }

  static StreamSettings settings(KafkaAccess kafka, Path directory, Map<String, String> properties) {
    var client = new HashMap<>(kafka.properties());
    client.putAll(properties);
    return new StreamSettings(kafka.bootstrapServers(), directory, 1, Duration.ofMillis(200), client);
  }

  /** Puts rules in force. */
  void rules(Instant at, String yaml) {
    var texts = List.of(new RuleDocument("test.yaml", yaml));
    rules = RuleSetReader.read(texts, topics.ruleSchemas(), List.of()).versionedAfter(rules);
    control(List.of(new Control("rules", at, rules.version(), RuleFormat.write(rules), PARTITIONS)));
  }

  /** The changes of a snapshot in one transaction. */
  void snapshot(List<PoolChange> changes, Instant stamp) {
    producer.beginTransaction();
    changes.forEach(change -> producer.send(record(topics.pool().changes(), null, stamp, change.getId(), change)));
    producer.commitTransaction();
  }

  /** A tick each second from one time to another, both included. */
  void ticks(Instant from, Instant to) {
    control(Stream.iterate(from, at -> !at.isAfter(to), at -> at.plusSeconds(1))
        .map(at -> new Control("tick", at, 0L, null, PARTITIONS))
        .toList());
  }

  private void control(List<Control> controls) {
    producer.beginTransaction();
    controls.forEach(control -> IntStream.range(0, PARTITIONS)
        .forEach(partition -> producer
            .send(record(topics.control(), partition, control.getAt(), control.getKind(), control))));
    producer.commitTransaction();
  }

  /** All records that are committed on a topic now. */
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

  /** How the records of each topic are compressed that the application has written, by name without prefix. */
  Map<String, Set<CompressionType>> compressionOfWritten() {
    var inputs = StreamApplication.inputs(topics).stream().map(Topic::name).toList();
    var stored = StoredBatches.at(kafka.bootstrapServers());
    var compression = new TreeMap<String, Set<CompressionType>>();
    try (var consumer = consumer()) {
      var partitions = consumer.listTopics().values().stream()
          .flatMap(List::stream)
          .filter(each -> each.topic().startsWith(topics.prefix()) && !inputs.contains(each.topic()))
          .map(each -> new TopicPartition(each.topic(), each.partition()))
          .toList();
      consumer.beginningOffsets(partitions).forEach((partition, begin) -> stored.from(partition, begin).forEach(
          batch -> compression.computeIfAbsent(partition.topic().substring(topics.prefix().length()),
              topic -> new HashSet<>()).add(batch.compressionType())));
    }
    return compression;
  }

  @Override
  public void close() {
    producer.close();
  }

  private <V extends SpecificRecord> ProducerRecord<String, byte[]> record(
      Topic<V> topic, Integer partition, Instant stamp, String key, V value) {
    var bytes = topic.serde(registry).encode(topic.name(), value);
    return new ProducerRecord<>(topic.name(), partition, stamp.toEpochMilli(), key, bytes);
  }

  private KafkaProducer<String, byte[]> producer() {
    var config = kafka.client();
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.prefix() + "main");
    return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
  }

  private KafkaConsumer<String, byte[]> consumer() {
    var config = kafka.client();
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
  }
}
