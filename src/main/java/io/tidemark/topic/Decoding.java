package io.tidemark.topic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.kafka.common.errors.SerializationException;

/** The way from bytes to a value; one reader for each schema met, kept. */
final class Decoding<V> {

  private static final int HEADER = 1 + Integer.BYTES;

  private static final ThreadLocal<BinaryDecoder> DECODER =
      ThreadLocal.withInitial(() -> DecoderFactory.get().binaryDecoder(new byte[0], null));

  private final Schema schema;
  private final SpecificData data;
  private final SchemaRegistry registry;
  private final Map<Integer, SpecificDatumReader<V>> readers = new ConcurrentHashMap<>();

  Decoding(Schema schema, SpecificData data, SchemaRegistry registry) {
    this.schema = schema;
    this.data = data;
    this.registry = registry;
  }

  V decode(String topic, byte[] bytes) {
    if (bytes.length < HEADER || bytes[0] != Encoding.MAGIC) {
      throw new SerializationException(
          "topic %s: a value that does not begin with 0 and a schema id; something else writes to it".formatted(topic));
    }
    var reader = readers.computeIfAbsent(ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt(), this::reader);
    try {
      return read(reader, bytes);
    } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
      throw new SerializationException(
          "topic %s: a value that is no %s".formatted(topic, schema.getFullName()), e);
    }
  }

  private static <V> V read(SpecificDatumReader<V> reader, byte[] bytes) throws IOException {
    var decoder = DecoderFactory.get().binaryDecoder(bytes, HEADER, bytes.length - HEADER, DECODER.get());
    return reader.read(null, decoder);
  }

  private SpecificDatumReader<V> reader(int id) {
    var written = registry.schema(id);
    if (!written.getFullName().equals(schema.getFullName())) {
      throw new RegistryFailure.UnknownSchema(
          "schema id %d is a %s here, and was a %s where the value was written: that was "
              .formatted(id, written.getFullName(), schema.getFullName()) + "another registry");
    }
    return new SpecificDatumReader<>(written, schema, data);
  }
}
