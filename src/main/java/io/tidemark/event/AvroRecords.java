package io.tidemark.event;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** Operations on records and schemas that Avro and its generated classes lack. */
@NullMarked
public final class AvroRecords {
  static {
    AvroSettings.apply();
  }

  private AvroRecords() {}

  /**
   * Creates a record of the class that was generated from a schema. Its fields have Java's defaults (null, 0 or
   * false), not those of the schema.
   */
  public static SpecificRecord blank(Schema schema) {
    return (SpecificRecord) SpecificData.newInstance(SpecificData.get().getClass(schema), schema);
  }

  /** Returns a shallow copy of a record, which shares the field values with the original. */
  @SuppressWarnings("unchecked") // a schema has one generated class
  public static <R extends IndexedRecord> R copy(R record) {
    var copy = blank(record.getSchema());
    var size = record.getSchema().getFields().size();
    for (var position = 0; position < size; position++) {
      copy.put(position, record.get(position));
    }
    return (R) copy;
  }

  /**
   * Returns whether two values, which may be records, are equal. The result is the same as from {@code equals}, but
   * texts are compared without encoding them as bytes.
   */
  public static boolean areEqual(@Nullable Object one, @Nullable Object other) {
    if (!(one instanceof IndexedRecord record) || !(other instanceof IndexedRecord second)) {
      return Objects.equals(one, other);
    }
    if (record == second || record.getClass() != second.getClass()) {
      return record == second;
    }
    var size = record.getSchema().getFields().size();
    for (var position = 0; position < size; position++) {
      if (!areEqual(record.get(position), second.get(position))) {
        return false;
      }
    }
    return true;
  }

  /** Returns a copy of the remaining bytes of a buffer, without changing the buffer. */
  public static byte[] bytes(ByteBuffer buffer) {
    var bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Returns the first branch of a union that is not null, or the schema itself if it is not a union. */
  public static Schema nonNull(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow()
        : schema;
  }

  /**
   * Returns the value at a path, which consists of names of record fields and map keys joined by dots. Returns null
   * if a name is missing, or if a value on the way is null or has no members.
   */
  public static @Nullable Object at(@Nullable Object from, String path) {
    var value = from;
    var begin = 0;
    for (var end = path.indexOf('.'); end >= 0; end = path.indexOf('.', begin)) {
      value = member(value, path.substring(begin, end));
      begin = end + 1;
    }
    return member(value, path.substring(begin));
  }

  /** Sets the field with the given name in a record. */
  public static void put(IndexedRecord record, String name, @Nullable Object value) {
    record.put(Objects.requireNonNull(record.getSchema().getField(name), name).pos(), value);
  }

  private static @Nullable Object member(@Nullable Object from, String name) {
    if (from instanceof IndexedRecord record) {
      var field = record.getSchema().getField(name);
      return field == null ? null : record.get(field.pos());
    }
    return from instanceof Map<?, ?> map ? map.get(name) : null;
  }
}
