package io.tidemark.stream;

import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.Topics;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Named;
import org.apache.kafka.streams.kstream.Produced;

/**
 * The topics of a source as streams, read with the ticks of their partition.
 *
 * <p>Topics have equal partition counts and ticks are on every partition, so nothing is ever repartitioned.
 */
final class Tape {

  private final StreamsBuilder builder = new StreamsBuilder(everythingNamed());
  private final Registry registry;
  private final KStream<String, SpecificRecord> control;

  Tape(Topics topics, Registry registry) {
    this.registry = registry;
    this.control = read("control", topics.control());
  }

  /** A topic and the ticks, in one stream. */
  KStream<String, SpecificRecord> withTicks(String name, Topic<?> topic) {
    return read(name, topic).merge(control, Named.as(name + "-and-ticks"));
  }

  <V extends SpecificRecord> void write(String name, KStream<String, V> stream, Topic<V> topic) {
    stream.to(topic.name(), Produced.with(Serdes.String(), topic.serde(registry)).withName(name));
  }

  Topology topology() {
    return builder.build();
  }

  private <V extends SpecificRecord> KStream<String, SpecificRecord> read(String name, Topic<V> topic) {
    var values = topic.serde(registry);
    Serde<SpecificRecord> records =
        Serdes.serdeFrom((to, record) -> values.encode(to, topic.value().cast(record)), values::decode);
    return builder.stream(topic.name(), Consumed.with(Serdes.String(), records).withName(name));
  }

  /** Names must not depend on the order of operators: a new one would cost the state of all behind it. */
  private static TopologyConfig everythingNamed() {
    return new TopologyConfig(new StreamsConfig(Map.of(
        StreamsConfig.APPLICATION_ID_CONFIG, "of-no-matter-here",
        StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "of-no-matter-here:9092",
        StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true)));
  }
}
