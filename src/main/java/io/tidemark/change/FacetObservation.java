package io.tidemark.change;

import io.tidemark.event.Attribute;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.Extra;
import io.tidemark.event.FacetView;
import io.tidemark.market.Observation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * What an answer shows of one facet.
 *
 * @param values its attributes; null where they were absent or null
 * @param nulls paths within the facet of the attributes that were null explicitly
 */
record FacetObservation(FacetView facet, IndexedRecord values, Set<String> nulls) {

  /** The facets that an observation of a resource shows, in the order of the schema. */
  static List<FacetObservation> of(ResourceKind kind, Observation<?> observation) {
    var nulls = byFacet(observation.nulls());
    var observations = new ArrayList<FacetObservation>();
    for (var facet : kind.facets()) {
      var values = facet.valueIn(observation.resource());
      var ofFacet = nulls.getOrDefault(facet.name(), Set.of());
      if ((values != null && !isEmpty(values)) || !ofFacet.isEmpty()) {
        observations.add(
            new FacetObservation(facet, values == null ? AvroRecords.blank(facet.valueSchema()) : values, ofFacet));
      }
    }
    return observations;
  }

  /** Paths within their facets. An identity attribute, which may be null too, is in no facet. */
  private static Map<String, Set<String>> byFacet(Set<String> paths) {
    var byFacet = new HashMap<String, Set<String>>();
    for (var path : paths) {
      var dot = path.indexOf('.');
      if (dot > 0) {
        byFacet.computeIfAbsent(path.substring(0, dot), facet -> new HashSet<>()).add(path.substring(dot + 1));
      }
    }
    return byFacet;
  }

  /** Whether no attribute of a record has a value. */
  static boolean isEmpty(IndexedRecord record) {
    for (var position = 0; position < record.getSchema().getFields().size(); position++) {
      var value = record.get(position);
      if (value instanceof IndexedRecord inner ? !isEmpty(inner) : value != null) {
        return false;
      }
    }
    return true;
  }

  /** Whether a known value still holds where another is known now: what is known now only adds to it. */
  static boolean holds(FacetView facet, IndexedRecord known, IndexedRecord now) {
    return new FacetObservation(facet, known, Set.of()).mergedOver(now).equals(now);
  }

  /** The facet as known after the observation: absent leaves what was known, null sets null, maps are replaced. */
  IndexedRecord mergedOver(@Nullable IndexedRecord known) {
    return values instanceof Extra extra
        ? ExtraJson.merge((Extra) known, extra)
        : merge(known, values, "", facet.attributes());
  }

  /** What was known, and of the observation only what was not known yet. */
  IndexedRecord mergedUnder(@Nullable IndexedRecord known) {
    return known == null ? mergedOver(null) : new FacetObservation(facet, known, Set.of()).mergedOver(mergedOver(null));
  }

  private IndexedRecord merge(
      @Nullable IndexedRecord known, IndexedRecord observed, String path, List<Attribute> attributes) {
    var result = AvroRecords.blank(observed.getSchema());
    for (var attribute : attributes) {
      var before = known == null ? null : attribute.in(known);
      result.put(attribute.position(), merge(before, attribute.in(observed), path + attribute.name(), attribute));
    }
    return result;
  }

  private @Nullable Object merge(
      @Nullable Object known, @Nullable Object observed, String path, Attribute attribute) {
    if (nulls.contains(path)) {
      return null;
    }
    if (attribute.type() instanceof Attribute.RecordOf record) {
      var inner = observed != null ? (IndexedRecord) observed : AvroRecords.blank(record.schema());
      var result = merge((IndexedRecord) known, inner, path + ".", record.attributes());
      return isEmpty(result) ? null : result;
    }
    return observed == null ? known : observed;
  }

  /** Whether the observation shows the facet otherwise than it is known. */
  boolean conflictsWith(@Nullable IndexedRecord known) {
    var merged = mergedOver(known);
    return known == null ? !isEmpty(merged) : !known.equals(merged);
  }

  /** Fingerprint: equal for observations of equal values and equal explicit nulls. */
  long digest() {
    var text = new StringBuilder();
    write(values, text);
    nulls.stream().sorted().forEach(path -> text.append('\u0000').append(path));
    return SchemaNormalization.fingerprint64(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void write(@Nullable Object value, StringBuilder text) {
    switch (value) {
      case null -> text.append('\u0001');
      case IndexedRecord record -> {
        for (var position = 0; position < record.getSchema().getFields().size(); position++) {
          text.append('\u0002');
          write(record.get(position), text);
        }
      }
      case Map<?, ?> map -> new TreeMap<>(map).forEach((key, each) -> {
        text.append('\u0003').append(key).append('\u0004');
        write(each, text);
      });
      default -> text.append(value);
    }
  }
}
