package io.tidemark.audit;

import io.tidemark.event.Left;
import io.tidemark.event.Origin;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** One change of a resource, by what the changes of all resources share. */
record Change(Row row, SpecificRecord value) {

  long life() {
    return Fields.life(value);
  }

  long revision() {
    return Fields.revision(value);
  }

  Origin origin() {
    return (Origin) Objects.requireNonNull(Fields.get(value, "origin"));
  }

  boolean isFrame() {
    return origin().getFrame();
  }

  @Nullable
  String left() {
    return Fields.get(value, "left") instanceof Left left ? left.getReason() : null;
  }

  boolean has(String part) {
    return Fields.get(value, part) != null;
  }

  /** Facets that the header names. */
  Set<String> named() {
    var named = new TreeSet<>(List.of(row.header("facets").split(",")));
    named.remove("");
    return named;
  }

  /** Which change it is, for the header and for people. */
  String id() {
    return "%s/%s/%d/%d".formatted(row.topic(), row.name(), life(), revision());
  }
}
