package io.tidemark.tape;

import io.tidemark.event.Origin;
import io.tidemark.tape.Observation.Ref;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** One change of a resource as it lies on the tape. */
record Change(String resource, Tape.Entry entry) {
  /**
   * One facet of a change.
   *
   * @param record as it stands on the tape
   */
  record FacetChange(Map<String, Object> before, Map<String, Object> after, SpecificRecord record) {}

  SpecificRecord value() {
    return Objects.requireNonNull(entry.value());
  }

  String key() {
    return entry.key();
  }

  Ref ref() {
    return new Ref(resource, key());
  }

  long revision() {
    return Facts.number(value(), "revision");
  }

  Object life() {
    return Objects.requireNonNull(Facts.get(value(), "life"));
  }

  Origin origin() {
    return (Origin) Objects.requireNonNull(Facts.get(value(), "origin"));
  }

  String look() {
    return origin().getTarget() + "@" + origin().getSweep();
  }

  /** Facets that are there, changed or framed; without the order of a ranking. */
  Map<String, FacetChange> facets() {
    var facets = new TreeMap<String, FacetChange>();
    for (String name : Facts.facets(value().getSchema())) {
      if (!name.equals(Ranks.ORDER) && Facts.get(value(), name) instanceof SpecificRecord record) {
        facets.put(name,
            new FacetChange(Facts.of(Facts.get(record, "before")), Facts.of(Facts.get(record, "after")), record));
      }
    }
    return facets;
  }

  /** Facets that the header names. */
  Set<String> named() {
    String header = entry.headers().getOrDefault("facets", "");
    var named = new TreeSet<>(Arrays.asList(header.split(",")));
    named.remove("");
    return named;
  }

  @Nullable
  Object part(String name) {
    return Facts.get(value(), name);
  }

  Complaint complaint(String law, String where, @Nullable Object expected, @Nullable Object found) {
    return new Complaint(law, resource, key(), revision(), where, expected, found);
  }
}
