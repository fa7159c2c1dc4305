package io.tidemark.stream;

import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * A record that a task writes.
 *
 * @param topic name of the topic, without prefix
 * @param value value of the record; null for a tombstone
 */
record TopicRecord(String topic, @Nullable SpecificRecord value) {

  static Serde<String> keys(Collection<Topic<?>> topics, SchemaRegistry registry) {
    var keys = new HashMap<String, Deserializer<String>>();
    topics.forEach(topic -> keys.put(topic.name(), topic.decoder(registry).keys()));
    return Serdes.serdeFrom(Serdes.String().serializer(), (name, bytes) -> of(keys, name).deserialize(name, bytes));
  }

  /** Returns a serde for reading the values of the given topics. */
  static Serde<SpecificRecord> values(Collection<Topic<?>> topics, SchemaRegistry registry) {
    var values = new HashMap<String, Deserializer<? extends SpecificRecord>>();
    topics.forEach(topic -> values.put(topic.name(), topic.decoder(registry).values()));
    return Serdes.serdeFrom(writesNone(), (name, bytes) -> of(values, name).deserialize(name, bytes));
  }

  /** Returns a serde for writing the values of the given topics. */
  static Serde<TopicRecord> results(Collection<Topic<?>> topics, SchemaRegistry registry) {
    var values = new HashMap<String, Serializer<SpecificRecord>>();
    topics.forEach(topic -> values.put(topic.name(), serializer(topic, registry)));
    return Serdes.serdeFrom((name, record) -> of(values, name).serialize(name, record.value()), readsNone());
  }

  /** Returns a serde for values of one type in a topic that only the topology reads. */
  static <V extends SpecificRecord> Serde<TopicRecord> internal(String topic, Class<V> type, Serde<V> serde) {
    var bounded = RecordLimits.bounded(topic, serde);
    return Serdes.serdeFrom(
        (name, record) -> bounded.serializer().serialize(name, type.cast(record.value())),
        (name, bytes) -> new TopicRecord(topic, bounded.deserializer().deserialize(name, bytes)));
  }

  private static <V extends SpecificRecord> Serializer<SpecificRecord> serializer(
      Topic<V> topic, SchemaRegistry registry) {
    var values = RecordLimits.bounded(topic.name(), topic.serde(registry)).serializer();
    return (name, value) -> values.serialize(name, topic.value().cast(value));
  }

  private static <T> T of(Map<String, T> byName, String name) {
    return Objects.requireNonNull(byName.get(name), name);
  }

  private static <T> Serializer<T> writesNone() {
    return (name, value) -> {
      throw new UnsupportedOperationException("cannot write to topic " + name + ": this serde can only read");
    };
  }

  private static <T> Deserializer<T> readsNone() {
    return (name, bytes) -> {
      throw new UnsupportedOperationException("cannot read topic " + name + ": this serde can only write");
    };
  }
}
