package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.event.Control;
import io.tidemark.event.Watch;
import io.tidemark.topic.BoundedSerde;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;
import org.jspecify.annotations.Nullable;

/**
 * The topics of a source as streams, merged with {@code control}: ticks, rule sets and silences, each behind all that it
 * covers. All topics have the same partition count, and each control record is on every partition.
 */
final class TopicStreams {

  private final StreamsBuilder builder = new StreamsBuilder(explicitNames());
  private final Topics topics;
  private final Topics results;
  private final SchemaRegistry registry;
  private final Map<String, KStream<String, SpecificRecord>> sources = new HashMap<>();

  /** @param results the topics to write: the same, except in a backtest */
  TopicStreams(Topics topics, Topics results, SchemaRegistry registry) {
    this.topics = topics;
    this.results = results;
    this.registry = registry;
  }

  /** One topic, merged with control. */
  KStream<String, SpecificRecord> read(Topic<?> topic) {
    return source(topic).merge(source(topics.control()), Named.as(name(topic) + "-and-control"));
  }

  /** Several topics, merged with control. */
  KStream<String, SpecificRecord> read(String name, List<Topic<?>> several) {
    var stream = source(topics.control());
    for (var topic : several) {
      stream = stream.merge(source(topic), Named.as(name + "-and-" + name(topic)));
    }
    return stream;
  }

  /** Writes the records of a stream, without control, to their topic. */
  void write(String name, KStream<String, ? extends SpecificRecord> stream, Topic<?> topic) {
    stream
        .<SpecificRecord>mapValues(record -> record, Named.as(name + "-records"))
        .filterNot((key, record) -> record instanceof Control, Named.as(name + "-without-control"))
        .to(results.prefix() + topics.shortName(topic), Produced.with(Serdes.String(), serde(topic)).withName(name));
  }

  /**
   * Writes alerts by subject, the newest alert by fingerprint, with a tombstone where its instance is dropped, and the
   * commands that put a rule out of force.
   */
  void writeAlerts(String name, KStream<String, SpecificRecord> alerts) {
    var produced = Produced.with(Serdes.String(), serde(results.alerts()));
    alerts
        .filter((key, record) -> record instanceof Alert, Named.as(name + "-alerts-published"))
        .to(results.alerts().name(), produced.withName(name + "-alerts-out"));
    alerts
        .flatMap(TopicStreams::byFingerprint, Named.as(name + "-alerts-by-print"))
        .to(results.alertsState().name(), produced.withName(name + "-alerts-state-out"));
    alerts
        .filter((key, record) -> record instanceof Watch, Named.as(name + "-rule-failures"))
        .to(results.watch().name(),
            Produced.with(Serdes.String(), serde(results.watch())).withName(name + "-rule-failures-out"));
  }

  private static List<KeyValue<String, SpecificRecord>> byFingerprint(String key, @Nullable SpecificRecord record) {
    return switch (record) {
      case Watch command -> List.of();
      case Alert alert -> List.of(KeyValue.pair(alert.getFingerprint(), alert));
      case null, default -> List.of(KeyValue.pair(key, record));
    };
  }

  Topology topology() {
    return builder.build();
  }

  /** Name of a topic in the topology, without its prefix: the shape of the topology is the same for all sources. */
  String name(Topic<?> topic) {
    return topics.shortName(topic).replace('.', '-');
  }

  private KStream<String, SpecificRecord> source(Topic<?> topic) {
    return sources.computeIfAbsent(
        topic.name(),
        name -> builder.stream(name, Consumed.with(keys(topic), serde(topic)).withName(name(topic))));
  }

  private <V extends SpecificRecord> Serde<SpecificRecord> serde(Topic<V> topic) {
    var decoder = topic.decoder(registry);
    return BoundedSerde.of(topic.name(), Serdes.serdeFrom(
        (to, record) -> record == null ? null : decoder.serde().encode(to, topic.value().cast(record)),
        (from, bytes) -> decoder.value(bytes)));
  }

  private Serde<String> keys(Topic<?> topic) {
    return Serdes.serdeFrom(new StringSerializer(), topic.decoder(registry).keys());
  }

  /** A generated name would depend on the order of operators, and a new one costs the state of all behind it. */
  private static TopologyConfig explicitNames() {
    return new TopologyConfig(new StreamsConfig(Map.of(
        StreamsConfig.APPLICATION_ID_CONFIG, "unused",
        StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "unused:9092",
        StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true)));
  }
}
