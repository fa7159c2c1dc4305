package io.tidemark.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Objects;
import java.util.function.Predicate;
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
  /** Elements for which there is room at once: a count alone, which may be wrong, reserves no more. */
  private static final int MOST_RESERVED = 64;

  private final TypeReader record;

  /** Reads values of one type, which is not null. Returns null where the field is passed over. */
  private interface BinaryReader {
    @Nullable
    Object read(BinaryInput in);
  }

  /** Passes over values of one type, which is not null. */
  private interface BinarySkipper {
    void skip(BinaryInput in);
  }

  /**
   * Reads values of one type.
   *
   * @param nullBranch where the type is a union of null and another: which branch is null; else -1
   */
  private record TypeReader(int nullBranch, BinaryReader value, BinarySkipper skipper) {

    @Nullable
    Object read(BinaryInput in) {
      return isPresent(in) ? value.read(in) : null;
    }

    void skip(BinaryInput in) {
      if (isPresent(in)) {
        skipper.skip(in);
      }
    }

    private boolean isPresent(BinaryInput in) {
      if (nullBranch < 0) {
        return true;
      }
      var branch = in.readLong();
      if (branch != nullBranch && branch != 1 - nullBranch) {
        throw new IllegalArgumentException("branch %d of a union of two".formatted(branch));
      }
      return branch != nullBranch;
    }
  }

  /** A reader of the records that a schema describes. */
  public RecordReader(Schema schema) {
    this(schema, any -> true);
  }

  /**
   * A reader of some fields of these records; the others are passed over, and stay as in a new record.
   *
   * @param wanted whether a field is read, by its path through records and arrays, such as {@code facets.facet}
   */
  public RecordReader(Schema schema, Predicate<String> wanted) {
    this.record = reader(schema, new WantedFields("", wanted));
  }

  /** Which fields of the record at a path are read. */
  private record WantedFields(String path, Predicate<String> wanted) {
    boolean has(Schema.Field field) {
      return wanted.test(path + field.name());
    }

    WantedFields of(Schema.Field field) {
      return new WantedFields(path + field.name() + ".", wanted);
    }
  }

  /**
   * The record that begins at an offset.
   *
   * @throws RuntimeException if the bytes are no such record
   */
  public SpecificRecord read(byte[] bytes, int offset) {
    var in = new BinaryInput(bytes, offset);
    var read = (SpecificRecord) Objects.requireNonNull(record.value().read(in));
    in.checkEnd();
    return read;
  }

  /**
   * Checks that such a record begins at an offset, without making one.
   *
   * @throws RuntimeException if the bytes are no such record
   */
  public void check(byte[] bytes, int offset) {
    var in = new BinaryInput(bytes, offset);
    record.skip(in);
    in.checkEnd();
  }

  private static TypeReader reader(Schema schema, WantedFields wanted) {
    return switch (schema.getType()) {
      case UNION -> unionReader(schema, wanted);
      case RECORD -> recordReader(schema, wanted);
      case ARRAY -> arrayReader(reader(schema.getElementType(), wanted));
      case MAP -> mapReader(reader(schema.getValueType(), wanted));
      case STRING -> new TypeReader(-1, BinaryInput::readText, BinaryInput::skipLengthAndBytes);
      case BYTES -> new TypeReader(-1, BinaryInput::readBytes, BinaryInput::skipLengthAndBytes);
      case INT -> new TypeReader(-1, BinaryInput::readInt, BinaryInput::readInt);
      case LONG -> schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
          ? new TypeReader(-1, in -> Instant.ofEpochMilli(in.readLong()), BinaryInput::readLong)
          : new TypeReader(-1, BinaryInput::readLong, BinaryInput::readLong);
      case DOUBLE -> new TypeReader(-1, BinaryInput::readDouble, in -> in.skip(Double.BYTES));
      case BOOLEAN -> new TypeReader(-1, in -> in.readByte() == 1, in -> in.skip(1));
      default -> throw new IllegalStateException("No schema of Tidemark may use " + schema.getType());
    };
  }

  private static TypeReader recordReader(Schema schema, WantedFields wanted) {
    var constructor = AvroRecords.constructor(schema);
    var fields = schema.getFields().stream()
        .map(field -> wanted.has(field)
            ? reader(field.schema(), wanted.of(field))
            : passedOver(reader(field.schema(), wanted.of(field))))
        .toArray(TypeReader[]::new);
    return new TypeReader(-1, in -> {
      var read = constructor.get();
      for (var position = 0; position < fields.length; position++) {
        var value = fields[position].read(in);
        if (value != null) {
          read.put(position, value);
        }
      }
      return read;
    }, in -> {
      for (var field : fields) {
        field.skip(in);
      }
    });
  }

  /** Reads nothing of a field. */
  private static TypeReader passedOver(TypeReader field) {
    return new TypeReader(-1, in -> {
      field.skip(in);
      return null;
    }, field::skip);
  }

  /** A union of null and one other type: all that the schemas use. */
  private static TypeReader unionReader(Schema schema, WantedFields wanted) {
    var types = schema.getTypes();
    if (types.size() != 2 || !schema.isNullable()) {
      throw new IllegalStateException("No schema of Tidemark may use the union " + schema);
    }
    var nullBranch = types.get(0).getType() == Schema.Type.NULL ? 0 : 1;
    var other = reader(types.get(1 - nullBranch), wanted);
    return new TypeReader(nullBranch, other.value(), other.skipper());
  }

  private static TypeReader arrayReader(TypeReader element) {
    return new TypeReader(-1, in -> {
      var elements = new ArrayList<@Nullable Object>();
      for (var count = in.readCount(); count > 0; count = in.readCount()) {
        elements.ensureCapacity(elements.size() + Math.min(count, MOST_RESERVED));
        for (var each = 0; each < count; each++) {
          elements.add(element.read(in));
        }
      }
      return elements;
    }, in -> {
      for (var count = in.readCount(); count > 0; count = in.readCount()) {
        for (var each = 0; each < count; each++) {
          element.skip(in);
        }
      }
    });
  }

  private static TypeReader mapReader(TypeReader valueReader) {
    return new TypeReader(-1, in -> {
      var entries = new HashMap<String, @Nullable Object>();
      for (var count = in.readCount(); count > 0; count = in.readCount()) {
        for (var each = 0; each < count; each++) {
          entries.put(in.readText(), valueReader.read(in));
        }
      }
      return entries;
    }, in -> {
      for (var count = in.readCount(); count > 0; count = in.readCount()) {
        for (var each = 0; each < count; each++) {
          in.skipLengthAndBytes();
          valueReader.skip(in);
        }
      }
    });
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

    void skip(int count) {
      position += count;
    }

    /** Where something was passed over behind the end: that the bytes were too few. */
    void checkEnd() {
      if (position > bytes.length) {
        throw new IllegalArgumentException("%d bytes are missing".formatted(position - bytes.length));
      }
    }

    int readInt() {
      return Math.toIntExact(readLong());
    }

    /** A whole number, zigzag, in groups of seven bits, most often one. */
    long readLong() {
      long first = bytes[position++];
      return first >= 0 ? (first >>> 1) ^ -(first & 1) : readLongFrom(first);
    }

    private long readLongFrom(long first) {
      var each = first;
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

    /** Passes over a text, or over bytes with their length. */
    void skipLengthAndBytes() {
      skip(readLength());
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
