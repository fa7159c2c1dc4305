package io.tidemark.audit;

import java.time.Instant;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Fields of records by the names that all resources share. */
final class RecordFields {

  private RecordFields() {}

  static @Nullable Object get(IndexedRecord record, String name) {
    return record.get(Objects.requireNonNull(record.getSchema().getField(name), name).pos());
  }

  static @Nullable IndexedRecord part(IndexedRecord record, String name) {
    return (IndexedRecord) get(record, name);
  }

  static IndexedRecord record(SpecificRecord record, String name) {
    return Objects.requireNonNull(part(record, name), name);
  }

  static long generation(SpecificRecord record) {
    return ((Instant) Objects.requireNonNull(get(record, "generation"))).toEpochMilli();
  }

  static long revision(SpecificRecord record) {
    return (Long) Objects.requireNonNull(get(record, "revision"));
  }

  /** What stands beside null; the schema itself where that cannot be. */
  static Schema notNull(Schema schema) {
    return schema.isUnion()
        ? schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow()
        : schema;
  }
}
