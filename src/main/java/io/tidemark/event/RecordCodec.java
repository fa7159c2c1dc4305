package io.tidemark.event;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import org.apache.avro.Schema;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificDatumReader;
import org.apache.avro.specific.SpecificDatumWriter;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * The records of one generated class in Avro's binary encoding, written and read by Avro. Thread-safe.
 *
 * <p>Bytes are read from an array, of which Avro knows how many are left: a length or a count beyond them is an error
 * before there is room for it. No other decoder of Avro's does that.
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

  private final SpecificData data;
  private final Schema schema;
  private final SpecificDatumWriter<R> writer;
  private final ListReader<R> reader;

  private RecordCodec(SpecificData data, Schema schema, Schema written) {
    this.data = data;
    this.schema = schema;
    this.writer = new SpecificDatumWriter<>(schema, data);
    this.reader = new ListReader<>(written, schema, data);
  }

  /** The codec of a class, made once. */
  @SuppressWarnings("unchecked") // each class has its own
  public static <R extends SpecificRecord> RecordCodec<R> of(Class<R> type) {
    return (RecordCodec<R>) CODECS.get(type);
  }

  /** A codec that reads what was written with another version of the schema. To be kept, as making one is dear. */
  public RecordCodec<R> reading(Schema written) {
    return new RecordCodec<>(data, schema, written);
  }

  public Schema schema() {
    return schema;
  }

  /** Appends the bytes of a record. */
  public void write(R record, OutputStream out) {
    try {
      var encoder = EncoderFactory.get().directBinaryEncoder(out, null);
      writer.write(record, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The record that begins at an offset.
   *
   * @throws RuntimeException if the bytes are no such record
   */
  public R read(byte[] bytes, int offset) {
    try {
      return reader.readAndForget(DecoderFactory.get().binaryDecoder(bytes, offset, bytes.length - offset, null));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes lists of the JDK, from which elements can be removed; Avro's own cannot remove by iterator. */
  private static final class ListReader<R> extends SpecificDatumReader<R> {
    /** A list grows with what is read, whatever size its first block claims. */
    private static final int LARGEST_FIRST_CAPACITY = 1024;

    private static final Decoder NOTHING = DecoderFactory.get().binaryDecoder(new byte[0], null);

    ListReader(Schema written, Schema schema, SpecificData data) {
      super(written, schema, data);
      data.setFastReaderEnabled(false); // it makes lists of Avro's whatever a reader says
    }

    /** Avro has a resolver for each thread and schema, which would retain the bytes of its last record. */
    R readAndForget(Decoder in) throws IOException {
      try {
        return read(null, in);
      } finally {
        getResolver(getSchema(), getExpected()).configure(NOTHING);
      }
    }

    @Override
    protected Object newArray(@Nullable Object old, int size, Schema array) {
      return new ArrayList<>(Math.min(size, LARGEST_FIRST_CAPACITY));
    }
  }
}
