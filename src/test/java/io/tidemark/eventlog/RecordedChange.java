package io.tidemark.eventlog;

import io.tidemark.event.Origin;
import io.tidemark.eventlog.ObservedResource.Ref;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** One change of a resource in the event log. */
record RecordedChange(String resource, EventLog.Entry entry) {
  /**
   * One facet of a change.
   *
   * @param record the Avro record of the facet
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
    return PlainValues.number(value(), "revision");
  }

  Object generation() {
    return Objects.requireNonNull(PlainValues.get(value(), "generation"));
  }

  Origin origin() {
    return (Origin) Objects.requireNonNull(PlainValues.get(value(), "origin"));
  }

  String snapshot() {
    return origin().getTarget() + "@" + origin().getSnapshot();
  }

  /** Returns the facets in the change, also unchanged ones of a key frame, without the order of a ranking. */
  Map<String, FacetChange> facets() {
    var facets = new TreeMap<String, FacetChange>();
    for (String name : PlainValues.facets(value().getSchema())) {
      if (!name.equals(ListOrders.ORDER) && PlainValues.get(value(), name) instanceof SpecificRecord record) {
        facets.put(name,
            new FacetChange(PlainValues.of(PlainValues.get(record, "before")),
                PlainValues.of(PlainValues.get(record, "after")), record));
      }
    }
    return facets;
  }

  /** Returns the facets that the header lists. */
  Set<String> named() {
    String header = entry.headers().getOrDefault("facets", "");
    var named = new TreeSet<>(Arrays.asList(header.split(",")));
    named.remove("");
    return named;
  }

  @Nullable
  Object part(String name) {
    return PlainValues.get(value(), name);
  }

  Violation violation(String law, String where, @Nullable Object expected, @Nullable Object found) {
    return new Violation(law, resource, key(), revision(), where, expected, found);
  }
}
