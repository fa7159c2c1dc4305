package io.tidemark.topic;

import io.tidemark.event.AvroSettings;
import io.tidemark.event.RecordReader;
import io.tidemark.event.RecordWriter;
import io.tidemark.event.RecordWriter.BinaryOutput;
import io.tidemark.topic.UnreadableRecordException.UnreadableReason;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.serialization.Deserializer;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/**
 * Values in the Confluent wire format: a zero byte, the schema's id in four bytes, the Avro binary. A value of another
 * version of the schema is decoded as this one. Thread-safe.
 */
public final class AvroSerde<V extends SpecificRecord> implements Serde<V> {

  static {
    AvroSettings.apply();
  }

  private static final byte MAGIC = 0;
  private static final int HEADER = 1 + Integer.BYTES;

  /** A buffer that one large value made larger than this is not reused. */
  private static final int MAX_REUSED_BYTES = 1 << 20;

  private static final ThreadLocal<BinaryOutput> BUFFER = ThreadLocal.withInitial(BinaryOutput::new);
  private static final ThreadLocal<BinaryDecoder> DECODER =
      ThreadLocal.withInitial(() -> DecoderFactory.get().binaryDecoder(new byte[0], null));

  /** What does not depend on the registry, made once for each class. */
  private static final ClassValue<ClassCodec> CODECS = new ClassValue<>() {
    @Override
    protected ClassCodec computeValue(Class<?> type) {
      var schema = SpecificData.get().getSchema(type);
      return new ClassCodec(schema, SpecificData.getForClass(type), SchemaNormalization.toParsingForm(schema),
          new RecordWriter(schema), new RecordReader(schema));
    }
  };

  private final SchemaRegistry registry;
  private final ClassCodec codec;
  private final Map<String, Integer> ids = new ConcurrentHashMap<>();

  /** By the id of the schema that a value was encoded with. */
  private final Map<Integer, WrittenSchema<V>> readers = new ConcurrentHashMap<>();

  private record ClassCodec(
      Schema schema, SpecificData data, String parsingForm, RecordWriter writer, RecordReader reader) {}

  /**
   * A schema that values were written with.
   *
   * @param resolving reads values of another version; null where the schema is that of today
   */
  private record WrittenSchema<V>(Schema schema, @Nullable SpecificDatumReader<V> resolving) {}

  public AvroSerde(Class<V> type, SchemaRegistry registry) {
    this.registry = registry;
    this.codec = CODECS.get(type);
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

  /** The bytes of a value for a topic, under whose subject its schema is registered. */
  public byte[] encode(String topic, V value) {
    int id = ids.computeIfAbsent(topic, name -> registry.id(name + "-value", codec.schema()));
    var out = BUFFER.get();
    out.reset();
    out.writeByte(MAGIC);
    out.writeFixedInt(id);
    codec.writer().write(value, out);
    if (out.capacity() > MAX_REUSED_BYTES) {
      BUFFER.remove();
    }
    return out.toBytes();
  }

  /**
   * The value of bytes from a topic.
   *
   * @throws UnreadableRecordException if the bytes are no value of this class
   * @throws SchemaRegistryFailure if the registry does not give the schema they were encoded with
   */
  @SuppressWarnings("unchecked") // a schema has one generated class
  public V decode(String topic, byte[] bytes) {
    var resolving = written(topic, bytes).resolving();
    try {
      return resolving == null ? (V) codec.reader().read(bytes, HEADER) : resolving.read(null, body(bytes));
    } catch (IOException | RuntimeException e) { // Avro throws whatever its arithmetic with such bytes comes to
      throw malformed(topic, e);
    }
  }

  /**
   * Checks bytes without making a value of them, in a fraction of the time.
   *
   * @throws UnreadableRecordException if they are no value of this class
   * @throws SchemaRegistryFailure if the registry does not give the schema they were encoded with
   */
  void check(String topic, byte[] bytes) {
    var written = written(topic, bytes);
    try {
      if (written.resolving() == null) {
        codec.reader().check(bytes, HEADER);
      } else {
        GenericDatumReader.skip(written.schema(), body(bytes));
      }
    } catch (IOException | RuntimeException e) {
      throw malformed(topic, e);
    }
  }

  private WrittenSchema<V> written(String topic, byte[] bytes) {
    if (bytes.length < HEADER || bytes[0] != MAGIC) {
      throw new UnreadableRecordException(UnreadableReason.NO_SCHEMA_ID,
          "topic %s: a value that does not begin with 0 and a schema id; another program writes to it"
              .formatted(topic));
    }
    return readers.computeIfAbsent(ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt(), this::written);
  }

  private static BinaryDecoder body(byte[] bytes) {
    return DecoderFactory.get().binaryDecoder(bytes, HEADER, bytes.length - HEADER, DECODER.get());
  }

  private UnreadableRecordException malformed(String topic, Exception cause) {
    return new UnreadableRecordException(UnreadableReason.MALFORMED,
        "topic %s: a value that is no %s".formatted(topic, codec.schema().getFullName()), cause);
  }

  private WrittenSchema<V> written(int id) {
    var schema = codec.schema();
    var written = registry.schema(id);
    if (!written.getFullName().equals(schema.getFullName())) {
      throw new SchemaRegistryFailure.UnknownSchema(
          "schema id %d is %s in this registry, and not %s: it is a value of another topic or of another registry"
              .formatted(id, written.getFullName(), schema.getFullName()),
          true);
    }
    var isCurrent = SchemaNormalization.toParsingForm(written).equals(codec.parsingForm());
    return new WrittenSchema<>(written, isCurrent ? null : new SpecificDatumReader<>(written, schema, codec.data()));
  }
}
