package io.tidemark.audit;

import io.tidemark.event.Origin;
import io.tidemark.event.Removed;
import io.tidemark.topic.CommittedRecord;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** One change of a resource, by what the changes of all resources share. */
record AuditedChange(CommittedRecord row, SpecificRecord value) {

  long generation() {
    return RecordFields.generation(value);
  }

  long revision() {
    return RecordFields.revision(value);
  }

  Origin origin() {
    return (Origin) Objects.requireNonNull(RecordFields.get(value, "origin"));
  }

  boolean isKeyFrame() {
    return origin().getKeyFrame();
  }

  @Nullable
  String removed() {
    return RecordFields.get(value, "removed") instanceof Removed removed ? removed.getReason() : null;
  }

  boolean has(String part) {
    return RecordFields.get(value, part) != null;
  }

  /** Facets that the header names. */
  Set<String> named() {
    var named = new TreeSet<>(List.of(row.header("facets").split(",")));
    named.remove("");
    return named;
  }

  /** Which change it is, for the header and for people. */
  String id() {
    return "%s/%s/%d/%d".formatted(row.topic(), row.keyText(), generation(), revision());
  }
}
