package io.tidemark.http.wire;

import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/** Generated records without any value, and what is known of their classes. */
final class ResourceClasses {
  private ResourceClasses() {}

  static <R extends SpecificRecord> R newRecord(Class<R> type) {
    return type.cast(SpecificData.newInstance(type, SpecificData.get().getSchema(type)));
  }

  /** The class generated from a schema. */
  static Class<? extends SpecificRecord> classOf(Schema schema) {
    try {
      return Class.forName(schema.getFullName()).asSubclass(SpecificRecord.class);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("no class is generated from " + schema.getFullName(), e);
    }
  }

  /** The schema of a value that may be null. */
  static Schema notNull(Schema schema) {
    return schema.isNullable()
        ? schema.getTypes().stream().filter(type -> type.getType() != Schema.Type.NULL).findFirst().orElseThrow()
        : schema;
  }
}
