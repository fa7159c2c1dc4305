package io.tidemark.audit;

import io.tidemark.topic.ResourceTopics;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.jspecify.annotations.Nullable;

/**
 * One facet of a resource, by its places in the records of both topics.
 *
 * @param ordered whether it is the order of a list, whose changes are not whole values
 */
record FacetFields(String name, int inChange, int inResource, boolean ordered) {

  /** The facets are the nullable records of what a state knows; a change has each under the same name. */
  static List<FacetFields> of(ResourceTopics<?, ?> topics) {
    var change = SpecificData.get().getSchema(topics.changes().value());
    var resource = SpecificData.get().getSchema(topics.state().value()).getField("known").schema();
    return resource.getFields().stream()
        .filter(field -> RecordFields.notNull(field.schema()).getType() == Schema.Type.RECORD)
        .map(field -> of(field, change.getField(field.name())))
        .toList();
  }

  private static FacetFields of(Schema.Field inResource, Schema.Field inChange) {
    var ordered = RecordFields.notNull(inChange.schema()).getField("before") == null;
    return new FacetFields(inResource.name(), inChange.pos(), inResource.pos(), ordered);
  }

  @Nullable
  IndexedRecord changeIn(IndexedRecord change) {
    return (IndexedRecord) change.get(inChange);
  }

  @Nullable
  IndexedRecord valueIn(IndexedRecord resource) {
    return (IndexedRecord) resource.get(inResource);
  }
}
