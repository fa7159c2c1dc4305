package io.tidemark.change;

import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * One facet of a resource: where it stands in the resource and in its change, and when it is worth an event by default.
 * All of it is read off the schemas.
 */
record FacetRow(String name, int place, Schema schema, int changePlace, Schema changeSchema, Publishing emit,
    boolean list) {
  /** When a change of a facet is worth an event by default: the schemas' property {@code emit}. */
  enum Publishing {
    /** At once. */
    MATERIAL,
    /** With another facet, or at most every five minutes. */
    COALESCED,
    /** Only with another facet. */
    TRAVELS
  }

  static FacetRow of(Schema.Field field, Schema change) {
    Schema.Field inChange = change.getField(field.name());
    if (inChange == null) {
      throw new IllegalStateException(change.getName() + " lacks the facet " + field.name());
    }
    return new FacetRow(
        field.name(),
        field.pos(),
        ResourceKind.nonNull(field.schema()),
        inChange.pos(),
        ResourceKind.nonNull(inChange.schema()),
        emit(field.getProp("emit")),
        field.getObjectProp("list") != null);
  }

  private static Publishing emit(@Nullable String word) {
    return word == null ? Publishing.MATERIAL : "travels".equals(word) ? Publishing.TRAVELS : Publishing.COALESCED;
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
