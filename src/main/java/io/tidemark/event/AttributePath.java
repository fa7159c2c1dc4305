package io.tidemark.event;

import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A dotted path through records of known schemas: {@link AvroRecords#at} with names resolved to positions once. */
@NullMarked
public final class AttributePath {
  private final String path;

  /** Null where the path leads through a map. */
  private final int @Nullable [] positions;

  private AttributePath(String path, int @Nullable [] positions) {
    this.path = path;
    this.positions = positions;
  }

  /** The path in records of a schema. */
  public static AttributePath of(Schema schema, String path) {
    var names = path.split("\\.", -1);
    var positions = new int[names.length];
    var at = schema;
    for (var each = 0; each < names.length; each++) {
      var field = at.getType() == Schema.Type.RECORD ? at.getField(names[each]) : null;
      if (field == null) {
        return new AttributePath(path, null);
      }
      positions[each] = field.pos();
      at = AvroRecords.nonNull(field.schema());
    }
    return new AttributePath(path, positions);
  }

  /** The value at the path; null where any step is missing. */
  public @Nullable Object in(@Nullable IndexedRecord record) {
    if (positions == null) {
      return AvroRecords.at(record, path);
    }
    Object value = record;
    for (var position : positions) {
      if (value == null) {
        return null;
      }
      value = ((IndexedRecord) value).get(position);
    }
    return value;
  }
}
