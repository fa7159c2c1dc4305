package io.tidemark.change;

import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * One facet of a resource: where it stands in the resource and in its change, and when it is worth an event by default.
 * All of it is read off the schemas.
 */
record Facet(String name, int place, Schema schema, int changePlace, Schema changeSchema, Emit emit, boolean list) {
  /** When a change of a facet is worth an event by default: the schemas' property {@code emit}. */
  enum Emit {
    /** At once. */
    MATERIAL,
    /** With another facet, or at most every five minutes. */
    COALESCED,
    /** Only with another facet. */
    TRAVELS
  }

  static Facet of(Schema.Field field, Schema change) {
    Schema.Field inChange = change.getField(field.name());
    if (inChange == null) {
      throw new IllegalStateException(change.getName() + " lacks the facet " + field.name());
    }
    return new Facet(
        field.name(),
        field.pos(),
        Kind.nonNull(field.schema()),
        inChange.pos(),
        Kind.nonNull(inChange.schema()),
        emit(field.getProp("emit")),
        field.getObjectProp("list") != null);
  }

  private static Emit emit(@Nullable String word) {
    return word == null ? Emit.MATERIAL : "travels".equals(word) ? Emit.TRAVELS : Emit.COALESCED;
  }

  @Nullable
  IndexedRecord in(IndexedRecord resource) {
    return (IndexedRecord) resource.get(place);
  }

  void put(IndexedRecord resource, @Nullable IndexedRecord value) {
    resource.put(place, value);
  }

  /** An empty record of the given schema, in its generated class. */
  static IndexedRecord blank(Schema schema) {
    return (IndexedRecord) SpecificData.get().newRecord(null, schema);
  }
}
