package io.tidemark.tape;

import io.tidemark.embedded.Access;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
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

/** Reads what is committed in the topics of a source, from the beginning to the end of each. */
final class TapeReader {
  private static final Duration POLL = Duration.ofMillis(200);

  private final Access kafka;
  private final Map<String, Topic<?>> topics = new HashMap<>();
  private final Map<String, AvroSerde<?>> serdes = new HashMap<>();

  TapeReader(Access kafka, Registry registry, Stream<? extends Topic<?>> topics) {
    this.kafka = kafka;
    topics.forEach(topic -> {
      this.topics.put(topic.name(), topic);
      serdes.put(topic.name(), topic.serde(registry));
    });
  }

  /** All that the check needs of a source. */
  static Tape all(Access kafka, Registry registry, Topics topics) {
    Stream<Topic<?>> resources = topics.resources().stream().flatMap(each -> Stream.of(each.changes(), each.state()));
    Stream<Topic<?>> looks = Stream.of(topics.targetState(), topics.sourceState(), topics.poolListing());
    return new Tape(topics, new TapeReader(kafka, registry, Stream.concat(resources, looks)).read());
  }

  List<Tape.Entry> read() {
    try (var consumer = new KafkaConsumer<>(properties(), new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = topics.keySet().stream()
          .flatMap(topic -> consumer.partitionsFor(topic).stream())
          .map(info -> new TopicPartition(info.topic(), info.partition()))
          .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      var entries = new ArrayList<Tape.Entry>();
      while (partitions.stream().anyMatch(each -> consumer.position(each) < ends.getOrDefault(each, 0L))) {
        consumer.poll(POLL).forEach(record -> entries.add(entry(record)));
      }
      return entries;
    }
  }

  private Tape.Entry entry(ConsumerRecord<String, byte[]> record) {
    var headers = new HashMap<String, String>();
    record.headers().forEach(each -> headers.put(each.key(), new String(each.value(), StandardCharsets.UTF_8)));
    return new Tape.Entry(
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
