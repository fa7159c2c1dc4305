package io.tidemark.event;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import org.apache.avro.Schema;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the records of one generated class in Avro's binary encoding. Thread-safe.
 *
 * <p>Records are read from a byte array, because Avro then knows how many bytes are left. Before Avro's decoder for
 * byte arrays allocates memory, it rejects a length or a count that exceeds the remaining bytes. Other Avro decoders do
 * not.
 */
@NullMarked
public final class RecordCodec<R extends SpecificRecord> {
  static {
    AvroSettings.apply();
  }

  private static final ClassValue<RecordCodec<?>> CODECS = new ClassValue<>() {
    @Override
    protected RecordCodec<?> computeValue(Class<?> type) {
      var data = SpecificData.getForClass(type);
      var schema = data.getSchema(type);
      return new RecordCodec<>(data, schema, schema);
    }
  };

  /** Factory of encoders with a buffer of 512 bytes, since most records are shorter. */
  private static final EncoderFactory ENCODERS = new EncoderFactory().configureBufferSize(512);

  private final SpecificData data;
  private final Schema schema;
  private final SpecificDatumWriter<R> writer;
  private final SpecificDatumReader<R> reader;

  private RecordCodec(SpecificData data, Schema schema, Schema written) {
    this.data = data;
    this.schema = schema;
    this.writer = new Writer<>(schema, data);
    this.reader = new SpecificDatumReader<>(written, schema, data);
  }

  /**
   * Returns the codec of a generated class. The codec is always the same, and reads and writes the schema of the
   * class.
   */
  @SuppressWarnings("unchecked") // each class has its own codec
  public static <R extends SpecificRecord> RecordCodec<R> of(Class<R> type) {
    return (RecordCodec<R>) CODECS.get(type);
  }

  /**
   * Creates a codec that reads records written with another version of the schema. It still writes the schema of the
   * class. Callers should reuse the codec, because creating a codec is expensive.
   */
  public RecordCodec<R> reading(Schema written) {
    return new RecordCodec<>(data, schema, written);
  }

  public Schema schema() {
    return schema;
  }

  public void write(R record, OutputStream out) {
    try {
      var encoder = ENCODERS.binaryEncoder(out, null);
      writer.write(record, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads the record that begins at an offset. Bytes after the record are ignored.
   *
   * @throws RuntimeException if the bytes are not a record of this codec's class
   */
  public R read(byte[] bytes, int offset) {
    try {
      return reader.read(null, DecoderFactory.get().binaryDecoder(bytes, offset, bytes.length - offset, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A writer that resolves a union of null and one other type without looking up the value's type by name. Most unions
   * in the schemas consist of null and one other type.
   */
  private static final class Writer<R extends SpecificRecord> extends SpecificDatumWriter<R> {
    Writer(Schema schema, SpecificData data) {
      super(schema, data);
    }

    @Override
    protected int resolveUnion(Schema union, @Nullable Object value) {
      var types = union.getTypes();
      if (types.size() != 2) {
        return super.resolveUnion(union, value);
      }
      var isNullFirst = types.getFirst().getType() == Schema.Type.NULL;
      return isNullFirst || types.getLast().getType() == Schema.Type.NULL
          ? isNullFirst == (value == null) ? 0 : 1
          : super.resolveUnion(union, value);
    }
  }
}
