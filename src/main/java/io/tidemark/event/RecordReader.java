package io.tidemark.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of one generated class from Avro's binary encoding, written with the same schema: what
 * {@link RecordWriter} writes. What each field needs is resolved once, so that reading looks nothing up. Thread-safe.
 */
@NullMarked
public final class RecordReader {
  private final RecordFieldReader record;

  /** Reads values of one type. */
  private interface FieldReader {
    @Nullable
    Object read(BinaryInput in);
  }

  /** Reads records of one class. */
  private interface RecordFieldReader extends FieldReader {
    @Override
    SpecificRecord read(BinaryInput in);
  }

  /** A reader of the records that a schema describes. */
  public RecordReader(Schema schema) {
    this.record = recordReader(schema);
  }

  /**
   * The record that begins at an offset.
   *
   * @throws RuntimeException if the bytes are no such record
   */
  public SpecificRecord read(byte[] bytes, int offset) {
    return record.read(new BinaryInput(bytes, offset));
  }

  private static FieldReader reader(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> recordReader(schema);
      case UNION -> unionReader(schema);
      case ARRAY -> arrayReader(reader(schema.getElementType()));
      case MAP -> mapReader(reader(schema.getValueType()));
      case STRING -> BinaryInput::readText;
      case BYTES -> BinaryInput::readBytes;
      case INT -> in -> Math.toIntExact(in.readLong());
      case LONG -> schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
          ? in -> Instant.ofEpochMilli(in.readLong())
          : BinaryInput::readLong;
      case DOUBLE -> BinaryInput::readDouble;
      case BOOLEAN -> in -> in.readByte() == 1;
      default -> throw new IllegalStateException("No schema of Tidemark may use " + schema.getType());
    };
  }

  private static RecordFieldReader recordReader(Schema schema) {
    var constructor = AvroRecords.constructor(schema);
    var readers = schema.getFields().stream().map(field -> reader(field.schema())).toArray(FieldReader[]::new);
    return in -> {
      var read = constructor.get();
      for (var position = 0; position < readers.length; position++) {
        read.put(position, readers[position].read(in));
      }
      return read;
    };
  }

  /** A union of null and one other type: all that the schemas use. */
  private static FieldReader unionReader(Schema schema) {
    var types = schema.getTypes();
    if (types.size() != 2 || !schema.isNullable()) {
      throw new IllegalStateException("No schema of Tidemark may use the union " + schema);
    }
    var nullBranch = types.get(0).getType() == Schema.Type.NULL ? 0 : 1;
    var reader = reader(types.get(1 - nullBranch));
    return in -> {
      var branch = in.readLong();
      if (branch == nullBranch) {
        return null;
      }
      if (branch != 1 - nullBranch) {
        throw new IllegalArgumentException("branch %d of a union of two".formatted(branch));
      }
      return reader.read(in);
    };
  }

  private static FieldReader arrayReader(FieldReader element) {
    return in -> {
      List<@Nullable Object> elements = new ArrayList<>();
      for (var count = in.readCount(); count > 0; count = in.readCount()) {
        for (var each = 0; each < count; each++) {
          elements.add(element.read(in));
        }
      }
      return elements;
    };
  }

  private static FieldReader mapReader(FieldReader valueReader) {
    return in -> {
      Map<String, @Nullable Object> entries = new HashMap<>();
      for (var count = in.readCount(); count > 0; count = in.readCount()) {
        for (var each = 0; each < count; each++) {
          entries.put(in.readText(), valueReader.read(in));
        }
      }
      return entries;
    };
  }

  /** Bytes from a position on. Where there are too few, reading fails with an unchecked exception. */
  private static final class BinaryInput {
    private static final int LAST_SHIFT = 63;

    private final byte[] bytes;
    private int position;

    BinaryInput(byte[] bytes, int position) {
      this.bytes = bytes;
      this.position = position;
    }

    int readByte() {
      return bytes[position++];
    }

    /** A whole number, zigzag, in groups of seven bits. */
    long readLong() {
      long each = bytes[position++];
      var value = each & 0x7F;
      for (var shift = 7; each < 0; shift += 7) {
        if (shift > LAST_SHIFT) {
          throw new IllegalArgumentException("a number of more than ten bytes");
        }
        each = bytes[position++];
        value |= (each & 0x7F) << shift;
      }
      return (value >>> 1) ^ -(value & 1);
    }

    double readDouble() {
      var bits = 0L;
      for (var shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
        bits |= (bytes[position++] & 0xFFL) << shift;
      }
      return Double.longBitsToDouble(bits);
    }

    String readText() {
      var length = readLength();
      var text = new String(bytes, position, length, StandardCharsets.UTF_8);
      position += length;
      return text;
    }

    ByteBuffer readBytes() {
      var length = readLength();
      var copy = Arrays.copyOfRange(bytes, position, position + length);
      position += length;
      return ByteBuffer.wrap(copy);
    }

    /** How many elements follow, each of at least one byte; 0 at the end. A negative count has a size behind it. */
    int readCount() {
      var count = readLong();
      if (count < 0) {
        readLong();
        count = -count;
      }
      return bounded(count);
    }

    private int readLength() {
      return bounded(readLong());
    }

    private int bounded(long length) {
      if (length < 0 || length > bytes.length - position) {
        throw new IllegalArgumentException(
            "%d more, where %d bytes are left".formatted(length, bytes.length - position));
      }
      return (int) length;
    }
  }
}
