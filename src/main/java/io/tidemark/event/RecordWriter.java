package io.tidemark.event;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of one generated class in Avro's binary encoding, byte for byte as Avro's own writer does. What each
 * field needs is resolved once, so that writing looks nothing up. Thread-safe.
 */
@NullMarked
public final class RecordWriter {
  private final TypeWriter record;

  /** Writes values of one type, which are not null. */
  private interface ValueWriter {
    void write(Object value, BinaryOutput out);
  }

  /**
   * Writes values of one type.
   *
   * @param nullBranch where the type is a union of null and another: which branch is null; else -1
   */
  private record TypeWriter(int nullBranch, ValueWriter writer) {

    void write(@Nullable Object value, BinaryOutput out) {
      if (nullBranch < 0) {
        writer.write(Objects.requireNonNull(value), out);
      } else if (value == null) {
        out.writeByte(2 * nullBranch); // zigzag
      } else {
        out.writeByte(2 - 2 * nullBranch);
        writer.write(value, out);
      }
    }
  }

  /** A writer of the records that a schema describes. */
  public RecordWriter(Schema schema) {
    this.record = writer(schema);
  }

  /** Appends a record. */
  public void write(IndexedRecord value, BinaryOutput out) {
    record.write(value, out);
  }

  private static TypeWriter writer(Schema schema) {
    return schema.isUnion() ? unionWriter(schema) : new TypeWriter(-1, valueWriter(schema));
  }

  /** A union of null and one other type: all that the schemas use. */
  private static TypeWriter unionWriter(Schema schema) {
    var types = schema.getTypes();
    if (types.size() != 2 || !schema.isNullable()) {
      throw new IllegalStateException("No schema of Tidemark may use the union " + schema);
    }
    var nullBranch = types.get(0).getType() == Schema.Type.NULL ? 0 : 1;
    return new TypeWriter(nullBranch, valueWriter(types.get(1 - nullBranch)));
  }

  private static ValueWriter valueWriter(Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> recordWriter(schema);
      case ARRAY -> arrayWriter(writer(schema.getElementType()));
      case MAP -> mapWriter(writer(schema.getValueType()));
      case STRING -> (value, out) -> out.writeText(value.toString());
      case BYTES -> (value, out) -> out.writeBytes((ByteBuffer) value);
      case INT -> (value, out) -> out.writeLong(((Number) value).intValue());
      case LONG -> schema.getLogicalType() instanceof LogicalTypes.TimestampMillis
          ? (value, out) -> out.writeLong(((Instant) value).toEpochMilli())
          : (value, out) -> out.writeLong(((Number) value).longValue());
      case DOUBLE -> (value, out) -> out.writeDouble(((Number) value).doubleValue());
      case BOOLEAN -> (value, out) -> out.writeByte((Boolean) value ? 1 : 0);
      default -> throw new IllegalStateException("No schema of Tidemark may use " + schema.getType());
    };
  }

  private static ValueWriter recordWriter(Schema schema) {
    var fields = schema.getFields();
    var writers = fields.stream().map(field -> writer(field.schema())).toArray(TypeWriter[]::new);
    return (value, out) -> {
      var from = (IndexedRecord) value;
      for (var position = 0; position < writers.length; position++) {
        var field = from.get(position);
        if (field == null && writers[position].nullBranch() < 0) {
          throw new NullPointerException(
              "no value for %s.%s".formatted(schema.getFullName(), fields.get(position).name()));
        }
        writers[position].write(field, out);
      }
    };
  }

  private static ValueWriter arrayWriter(TypeWriter element) {
    return (value, out) -> {
      var elements = (Collection<?>) value;
      if (!elements.isEmpty()) {
        out.writeLong(elements.size());
        for (var each : elements) {
          element.write(each, out);
        }
      }
      out.writeByte(0);
    };
  }

  private static ValueWriter mapWriter(TypeWriter valueWriter) {
    return (value, out) -> {
      var entries = (Map<?, ?>) value;
      if (!entries.isEmpty()) {
        out.writeLong(entries.size());
        for (var entry : entries.entrySet()) {
          out.writeText(entry.getKey().toString());
          valueWriter.write(entry.getValue(), out);
        }
      }
      out.writeByte(0);
    };
  }

  /** Bytes that grow. Not thread-safe. */
  public static final class BinaryOutput {
    private static final int MAX_VARINT = 10;

    /** Bits of a group. */
    private static final int GROUP = 7;

    private byte[] bytes = new byte[1024];
    private int size;

    /** Forgets all that was written, so that the buffer is used again. */
    public void reset() {
      size = 0;
    }

    /** How many bytes the buffer has room for without growing. */
    public int capacity() {
      return bytes.length;
    }

    /** A copy of what was written. */
    public byte[] toBytes() {
      return Arrays.copyOf(bytes, size);
    }

    /** Appends bytes as they are. */
    public void write(byte[] raw) {
      reserve(raw.length);
      System.arraycopy(raw, 0, bytes, size, raw.length);
      size += raw.length;
    }

    /** Appends one byte. */
    public void writeByte(int value) {
      reserve(1);
      bytes[size++] = (byte) value;
    }

    /** Appends a number of four bytes, the highest first. */
    public void writeFixedInt(int value) {
      reserve(Integer.BYTES);
      for (var shift = 24; shift >= 0; shift -= 8) {
        bytes[size++] = (byte) (value >>> shift);
      }
    }

    /** Appends a whole number, zigzag, in groups of seven bits, most often one. */
    private void writeLong(long value) {
      var rest = (value << 1) ^ (value >> 63);
      if ((rest & ~0x7FL) == 0) {
        writeByte((int) rest);
      } else {
        writeGroups(rest);
      }
    }

    private void writeGroups(long groups) {
      reserve(MAX_VARINT);
      var to = bytes;
      var last = size + (Long.SIZE - 1 - Long.numberOfLeadingZeros(groups)) / GROUP;
      var rest = groups;
      for (var each = size; each < last; each++) { // counted, so that it is compiled without a safepoint
        to[each] = (byte) (rest | 0x80);
        rest >>>= GROUP;
      }
      to[last] = (byte) rest;
      size = last + 1;
    }

    /** Appends the eight bytes of a number, the lowest first. */
    private void writeDouble(double value) {
      reserve(Long.BYTES);
      var bits = Double.doubleToRawLongBits(value);
      for (var each = 0; each < Long.BYTES; each++) {
        bytes[size++] = (byte) bits;
        bits >>>= 8;
      }
    }

    private void writeBytes(ByteBuffer value) {
      var length = value.remaining();
      writeLong(length);
      reserve(length);
      value.get(value.position(), bytes, size, length);
      size += length;
    }

    /** Appends the length of a text in UTF-8 and the text. Most is ASCII, where a byte is a character. */
    private void writeText(String text) {
      var start = size;
      var length = text.length();
      writeLong(length);
      reserve(length);
      var to = bytes;
      var end = size;
      for (var each = 0; each < length; each++) {
        var character = text.charAt(each);
        if (character >= 0x80) {
          size = start;
          writeEncoded(text.getBytes(StandardCharsets.UTF_8));
          return;
        }
        to[end++] = (byte) character;
      }
      size = end;
    }

    private void writeEncoded(byte[] utf8) {
      writeLong(utf8.length);
      write(utf8);
    }

    private void reserve(int more) {
      if (bytes.length - size < more) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
      }
    }
  }
}
