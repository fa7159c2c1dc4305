package io.tidemark.http.wire;

import io.tidemark.event.Extra;
import io.tidemark.market.Observation;
import java.util.HashSet;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A resource as its own JSON has it, before other parts of the answer complete it.
 *
 * @param nulls paths of the attributes that are explicitly null
 * @param extra members that have no place in the resource, where they were in the JSON
 */
record DecodedResource<R extends SpecificRecord>(R resource, Set<String> nulls, JsonObject extra) {
  DecodedResource(R resource) {
    this(resource, new HashSet<>(), JsonObject.sorted());
  }

  Observation<R> toObservation() {
    if (!extra.isEmpty()) {
      set("extra", new Extra(extra.toString()));
    }
    return new Observation<>(resource, nulls);
  }

  /** A field of its identity; null where it is missing or empty. */
  @Nullable
  String identity(String field) {
    return resource.get(position(field)) instanceof String text && !text.isEmpty() ? text : null;
  }

  DecodedResource<R> set(String field, Object value) {
    resource.put(position(field), value);
    return this;
  }

  /** Checks that it has a field of its identity. */
  DecodedResource<R> require(String field) throws MalformedAnswerException {
    if (identity(field) == null) {
      throw new MalformedAnswerException("a " + resource.getSchema().getName() + " without " + field);
    }
    return this;
  }

  private int position(String field) {
    return resource.getSchema().getField(field).pos();
  }
}
