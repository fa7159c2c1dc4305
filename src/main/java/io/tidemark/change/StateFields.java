package io.tidemark.change;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The state of any kind of resource, by the names that all states share. */
final class StateFields {
  private StateFields() {}

  static IndexedRecord known(IndexedRecord state) {
    return (IndexedRecord) get(state, "known");
  }

  static DetectionMemory memory(IndexedRecord state) {
    return DetectionMemory.of((ByteBuffer) get(state, "memory"));
  }

  static Instant generation(IndexedRecord state) {
    return (Instant) get(state, "generation");
  }

  static long revision(IndexedRecord state) {
    return (Long) get(state, "revision");
  }

  static Instant firstObservedAt(IndexedRecord state) {
    return (Instant) get(state, "first_observed_at");
  }

  static Instant observedAt(IndexedRecord state) {
    return (Instant) get(state, "observed_at");
  }

  /** The facets held back, each with its last emitted value. */
  static Map<String, @Nullable IndexedRecord> withheld(ResourceKind kind, IndexedRecord state) {
    IndexedRecord said = (IndexedRecord) state.get(state.getSchema().getField("withheld").pos());
    Map<String, @Nullable IndexedRecord> values = new HashMap<>();
    if (said != null) {
      List<?> names = (List<?>) get(said, "facets");
      IndexedRecord resource = (IndexedRecord) get(said, "values");
      kind.facets().stream()
          .filter(facet -> names.contains(facet.name()))
          .forEach(facet -> values.put(facet.name(), facet.in(resource)));
    }
    return values;
  }

  /** The state that a draft comes to. */
  static SpecificRecord of(ResourceDraft draft, Instant life, long revision, Instant observedAt) {
    IndexedRecord state = FacetRow.blank(draft.kind.state());
    put(state, "known", draft.known);
    put(state, "withheld", draft.withheld.isEmpty() ? null : saidRecord(draft));
    put(state, "generation", life);
    put(state, "revision", revision);
    put(state, "first_observed_at", draft.state == null ? life : firstObservedAt(draft.state));
    put(state, "observed_at", observedAt);
    put(state, "memory", draft.memory.bytes());
    return (SpecificRecord) state;
  }

  private static IndexedRecord saidRecord(ResourceDraft draft) {
    IndexedRecord values = ResourceDraft.first(draft.kind, draft.key, draft.known).known;
    for (FacetRow facet : draft.kind.facets()) {
      if (draft.withheld.containsKey(facet.name())) {
        facet.put(values, draft.withheld.get(facet.name()));
      }
    }
    IndexedRecord said = FacetRow.blank(ResourceKind.nonNull(draft.kind.state().getField("withheld").schema()));
    put(said, "facets", draft.withheld.keySet().stream().sorted().toList());
    put(said, "values", values);
    return said;
  }

  private static Object get(IndexedRecord record, String name) {
    return Objects.requireNonNull(record.get(record.getSchema().getField(name).pos()));
  }

  static void put(IndexedRecord record, String name, @Nullable Object value) {
    record.put(record.getSchema().getField(name).pos(), value);
  }
}
