package io.tidemark.eventlog;

import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads the committed records in the topics of a source, from the beginning to the end of each. */
final class EventLogReader {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaAccess kafka;
  private final Map<String, Topic<?>> topics = new HashMap<>();
  private final Map<String, AvroSerde<?>> serdes = new HashMap<>();

  EventLogReader(KafkaAccess kafka, SchemaRegistry registry, Stream<? extends Topic<?>> topics) {
    this.kafka = kafka;
    topics.forEach(topic -> {
      this.topics.put(topic.name(), topic);
      serdes.put(topic.name(), topic.serde(registry));
    });
  }

  /** Returns all records that the check of a source needs. */
  static EventLog all(KafkaAccess kafka, SchemaRegistry registry, Topics topics) {
    Stream<Topic<?>> resources = topics.resources().stream().flatMap(each -> Stream.of(each.changes(), each.state()));
    Stream<Topic<?>> snapshots = Stream.of(topics.targetState(), topics.sourceState(), topics.poolListing());
    return new EventLog(topics, new EventLogReader(kafka, registry, Stream.concat(resources, snapshots)).read());
  }

  List<EventLog.Entry> read() {
    try (var consumer = new KafkaConsumer<>(properties(), new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = topics.keySet().stream()
          .flatMap(topic -> consumer.partitionsFor(topic).stream())
          .map(info -> new TopicPartition(info.topic(), info.partition()))
          .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      var entries = new ArrayList<EventLog.Entry>();
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
        consumer.poll(POLL).forEach(record -> {
          if (record.headers().lastHeader(ForeignProducer.MARK) == null) {
            entries.add(entry(record));
          }
        });
      }
      return entries;
    }
  }

  private EventLog.Entry entry(ConsumerRecord<String, byte[]> record) {
    var headers = new HashMap<String, String>();
    record.headers().forEach(each -> headers.put(each.key(), new String(each.value(), StandardCharsets.UTF_8)));
    return new EventLog.Entry(
        record.topic(),
        record.partition(),
        record.offset(),
        Instant.ofEpochMilli(record.timestamp()),
        record.key(),
        headers,
        value(record));
  }

  private @Nullable SpecificRecord value(ConsumerRecord<String, byte[]> record) {
    AvroSerde<?> serde = serdes.get(record.topic());
    return record.value() == null || serde == null ? null : serde.decode(record.topic(), record.value());
  }

  private Map<String, Object> properties() {
    var properties = kafka.client();
    properties.put("isolation.level", "read_committed");
    properties.put("enable.auto.commit", "false");
    properties.put("allow.auto.create.topics", "false");
    properties.put("auto.offset.reset", "earliest");
    return properties;
  }
}
