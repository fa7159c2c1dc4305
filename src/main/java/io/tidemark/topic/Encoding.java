package io.tidemark.topic;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumWriter;
import org.jspecify.annotations.Nullable;

/** The way from a value to bytes; each thread reuses its buffer. */
final class Encoding<V> {

  /** First byte of every value. */
  static final byte MAGIC = 0;

  /** A buffer that grew beyond this for one large value is not kept. */
  private static final int MAX_REUSED_BUFFER = 1 << 20;

  private static final ThreadLocal<Buffer> BUFFER = ThreadLocal.withInitial(Buffer::new);

  private final SpecificDatumWriter<V> writer;

  Encoding(Schema schema, SpecificData data) {
    writer = new SpecificDatumWriter<>(schema, data);
  }

  byte[] encode(int id, V value) {
    var buffer = BUFFER.get();
    try {
      return buffer.write(id, writer, value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      if (buffer.out.size() > MAX_REUSED_BUFFER) {
        BUFFER.remove();
      }
    }
  }

  private static final class Buffer {
    final ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
    private @Nullable BinaryEncoder encoder;

    <V> byte[] write(int id, SpecificDatumWriter<V> writer, V value) throws IOException {
      out.reset();
      out.write(MAGIC);
      out.write(ByteBuffer.allocate(Integer.BYTES).putInt(id).array());
      var binary = EncoderFactory.get().binaryEncoder(out, encoder);
      encoder = null; // a value that fails leaves its first half in it
      writer.write(value, binary);
      binary.flush();
      encoder = binary;
      return out.toByteArray();
    }
  }
}
