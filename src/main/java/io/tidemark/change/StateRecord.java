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
final class StateRecord {
  private StateRecord() {}

  static IndexedRecord known(IndexedRecord state) {
    return (IndexedRecord) get(state, "known");
  }

  static Remembered memory(IndexedRecord state) {
    return Remembered.of((ByteBuffer) get(state, "memory"));
  }

  static Instant life(IndexedRecord state) {
    return (Instant) get(state, "life");
  }

  static long revision(IndexedRecord state) {
    return (Long) get(state, "revision");
  }

  static Instant firstSeenAt(IndexedRecord state) {
    return (Instant) get(state, "first_seen_at");
  }

  static Instant observedAt(IndexedRecord state) {
    return (Instant) get(state, "observed_at");
  }

  /** The facets held back, each with its last emitted value. */
  static Map<String, @Nullable IndexedRecord> said(Kind kind, IndexedRecord state) {
    IndexedRecord said = (IndexedRecord) state.get(state.getSchema().getField("said").pos());
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
  static SpecificRecord of(Draft draft, Instant life, long revision, Instant observedAt) {
    IndexedRecord state = Facet.blank(draft.kind.state());
    put(state, "known", draft.known);
    put(state, "said", draft.said.isEmpty() ? null : saidRecord(draft));
    put(state, "life", life);
    put(state, "revision", revision);
    put(state, "first_seen_at", draft.state == null ? life : firstSeenAt(draft.state));
    put(state, "observed_at", observedAt);
    put(state, "memory", draft.memory.bytes());
    return (SpecificRecord) state;
  }

  private static IndexedRecord saidRecord(Draft draft) {
    IndexedRecord values = Draft.first(draft.kind, draft.key, draft.known).known;
    for (Facet facet : draft.kind.facets()) {
      if (draft.said.containsKey(facet.name())) {
        facet.put(values, draft.said.get(facet.name()));
      }
    }
    IndexedRecord said = Facet.blank(Kind.nonNull(draft.kind.state().getField("said").schema()));
    put(said, "facets", draft.said.keySet().stream().sorted().toList());
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
