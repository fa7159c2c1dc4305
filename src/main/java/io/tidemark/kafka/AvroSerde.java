package io.tidemark.kafka;

import io.tidemark.event.RecordCodec;
import io.tidemark.kafka.UnreadableRecordException.UnreadableReason;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.kafka.registry.SchemaRegistryFailure;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;

/**
 * A serde of values in the Confluent wire format: a zero byte, the schema's id in four bytes, the Avro binary. A
 * value that was written with another version of the schema is decoded into the version of this program. Thread-safe.
 */
public final class AvroSerde<V extends SpecificRecord> implements Serde<V> {

  private static final byte MAGIC = 0;
  private static final int HEADER = 1 + Integer.BYTES;

  private final SchemaRegistry registry;
  private final RecordCodec<V> codec;
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();

  /** Codecs by the id of the schema that a value was encoded with. */
  private final Map<Integer, RecordCodec<V>> readers = new ConcurrentHashMap<>();

  public AvroSerde(Class<V> type, SchemaRegistry registry) {
    this.registry = registry;
    this.codec = RecordCodec.of(type);
    registry.addKnown(codec.schema());
  }

  @Override
  public Serializer<V> serializer() {
    return (topic, value) -> value == null ? null : encode(topic, value);
  }

  @Override
  public Deserializer<V> deserializer() {
    return (topic, bytes) -> bytes == null ? null : decode(topic, bytes);
  }

  /** Encodes a value for a topic. The value's schema is registered under the subject {@code <topic>-value}. */
  public byte[] encode(String topic, V value) {
    int id = ids.computeIfAbsent(topic, name -> registry.id(name + "-value", codec.schema()));
    var out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(HEADER).put(MAGIC).putInt(id).array());
    codec.write(value, out);
    return out.toByteArray();
  }

  /**
   * Decodes a value from a topic.
   *
   * @throws UnreadableRecordException if the bytes do not encode a {@code V}
   * @throws SchemaRegistryFailure if the registry does not return the schema that the value was encoded with
   */
  public V decode(String topic, byte[] bytes) {
    if (bytes.length < HEADER || bytes[0] != MAGIC) {
      throw new UnreadableRecordException(UnreadableReason.NO_SCHEMA_ID,
          "topic %s: a value that does not begin with 0 and a schema id; another program writes to it"
              .formatted(topic));
    }
    var reader = readers.computeIfAbsent(ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt(), this::reader);
    try {
      return reader.read(bytes, HEADER);
    } catch (RuntimeException e) { // malformed bytes make Avro throw arbitrary exceptions
      throw new UnreadableRecordException(UnreadableReason.MALFORMED,
          "topic %s: a value that is no %s".formatted(topic, codec.schema().getFullName()), e);
    }
  }

  private RecordCodec<V> reader(int id) {
    var schema = codec.schema();
    var written = written(id);
    if (!written.getFullName().equals(schema.getFullName())) {
      throw new UnreadableRecordException(UnreadableReason.OTHER_SCHEMA,
          "schema id %d is %s in this registry, and not %s: it is a value of another topic or of another registry"
              .formatted(id, written.getFullName(), schema.getFullName()));
    }
    return written.equals(schema) ? codec : codec.reading(written);
  }

  private Schema written(int id) {
    try {
      return registry.schema(id);
    } catch (SchemaRegistryFailure.NotAvro e) {
      throw new UnreadableRecordException(UnreadableReason.OTHER_SCHEMA, String.valueOf(e.getMessage()), e);
    }
  }
}
