package io.tidemark.change;

import io.tidemark.market.Observation;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** What an answer showed of one facet: its attributes, and which of them were null explicitly. */
record FacetObservation(IndexedRecord values, Set<String> nulls) {

  /** The facets that were shown, by name. */
  static Map<String, FacetObservation> facets(ResourceKind kind, Observation<?> observed) {
    Map<String, Set<String>> nulls = byFacet(observed.nulls());
    Map<String, FacetObservation> shown = new HashMap<>();
    for (FacetRow facet : kind.facets()) {
      IndexedRecord values = facet.in(observed.resource());
      Set<String> ofFacet = nulls.getOrDefault(facet.name(), Set.of());
      if ((values != null && !empty(values)) || !ofFacet.isEmpty()) {
        shown.put(facet.name(),
            new FacetObservation(values == null ? FacetRow.blank(facet.schema()) : values, ofFacet));
      }
    }
    return shown;
  }

  /** An identity attribute may be null too, and is in no facet. */
  private static Map<String, Set<String>> byFacet(Set<String> paths) {
    Map<String, Set<String>> byFacet = new HashMap<>();
    for (String path : paths) {
      int dot = path.indexOf('.');
      if (dot > 0) {
        byFacet.computeIfAbsent(path.substring(0, dot), any -> new HashSet<>()).add(path.substring(dot + 1));
      }
    }
    return byFacet;
  }

  static boolean empty(IndexedRecord record) {
    for (Schema.Field field : record.getSchema().getFields()) {
      Object value = record.get(field.pos());
      if (value instanceof IndexedRecord inner ? !empty(inner) : value != null) {
        return false;
      }
    }
    return true;
  }

  /** The facet as it is known after this: absent leaves what was known, null sets null, maps are replaced whole. */
  IndexedRecord over(@Nullable IndexedRecord known) {
    return ExtraJson.isExtra(values) ? ExtraJson.merged(known, values) : merged(known, values, "");
  }

  private IndexedRecord merged(@Nullable IndexedRecord known, IndexedRecord shown, String path) {
    IndexedRecord result = FacetRow.blank(shown.getSchema());
    for (Schema.Field field : shown.getSchema().getFields()) {
      Object before = known == null ? null : known.get(field.pos());
      result.put(field.pos(), merged(before, shown.get(field.pos()), path + field.name(), field.schema()));
    }
    return result;
  }

  private @Nullable Object merged(@Nullable Object known, @Nullable Object shown, String path, Schema schema) {
    if (nulls.contains(path)) {
      return null;
    }
    if (ResourceKind.nonNull(schema).getType() == Schema.Type.RECORD) {
      IndexedRecord inner = shown != null ? (IndexedRecord) shown : FacetRow.blank(ResourceKind.nonNull(schema));
      IndexedRecord result = merged((IndexedRecord) known, inner, path + ".");
      return empty(result) ? null : result;
    }
    return shown == null ? known : shown;
  }

  /** Only what is not known yet: of a first look whose values are not news. */
  IndexedRecord under(@Nullable IndexedRecord known) {
    return known == null ? over(null) : new FacetObservation(known, Set.of()).over(over(null));
  }

  /** Fingerprint: equal for what was shown alike, nulls included. */
  long digest() {
    StringBuilder text = new StringBuilder();
    write(values, text);
    nulls.stream().sorted().forEach(path -> text.append('\u0000').append(path));
    return SchemaNormalization.fingerprint64(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void write(@Nullable Object value, StringBuilder text) {
    switch (value) {
      case null -> text.append('\u0001');
      case IndexedRecord record -> record.getSchema().getFields().forEach(field -> {
        text.append('\u0002');
        write(record.get(field.pos()), text);
      });
      case Map<?, ?> map -> new TreeMap<>(map).forEach((key, each) -> {
        text.append('\u0003').append(key).append('\u0004');
        write(each, text);
      });
      default -> text.append(value);
    }
  }
}
