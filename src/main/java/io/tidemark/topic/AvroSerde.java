package io.tidemark.topic;

import io.tidemark.event.EventClasses;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * Values in the Confluent wire format: a zero byte, the schema's id in four, the Avro binary. What was written with
 * another version of the schema is read as this one. All threads may share one.
 */
public final class AvroSerde<V extends SpecificRecord> implements Serde<V> {

  static {
    EventClasses.trust();
  }

  private final SchemaRegistry registry;
  private final Schema schema;
  private final Encoding<V> encoding;
  private final Decoding<V> decoding;
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();

  public AvroSerde(Class<V> type, SchemaRegistry registry) {
    this.registry = registry;
    this.schema = SpecificData.get().getSchema(type);
    this.encoding = new Encoding<>(schema, SpecificData.getForClass(type));
    this.decoding = new Decoding<>(schema, SpecificData.getForClass(type), registry);
    registry.addKnown(schema);
  }

  @Override
  public Serializer<V> serializer() {
    return (topic, value) -> value == null ? null : encode(topic, value);
  }

  @Override
  public Deserializer<V> deserializer() {
    return (topic, bytes) -> bytes == null ? null : decode(topic, bytes);
  }

  /** The bytes of a value for a topic, under whose subject its schema is registered. */
  public byte[] encode(String topic, V value) {
    return encoding.encode(ids.computeIfAbsent(topic, this::id), value);
  }

  /**
   * The value of bytes found in a topic.
   *
   * @throws org.apache.kafka.common.errors.SerializationException if they are none of its values
   * @throws RegistryFailure if the schema they were written with cannot be had
   */
  public V decode(String topic, byte[] bytes) {
    return decoding.decode(topic, bytes);
  }

  private int id(String topic) {
    return registry.id(topic + "-value", schema);
  }
}
