package io.tidemark.serve.mirror;

import io.tidemark.event.Attribute;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.FacetView;
import io.tidemark.market.Observation;
import io.tidemark.serve.mirror.EncodedStates.KnownResource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;

/**
 * The choice of a resource's attributes that are put into an answer. The topics do not distinguish a null
 * attribute from an absent one. An unknown attribute of a facet that was observed is therefore null in the answer, as
 * it is in the service's answers.
 *
 * @param facets names of the facets that the answer has
 * @param hidden paths of attributes of these facets that the answer lacks
 * @param optional names of the facets that the answer lacks if none of their attributes is known; if at least one
 *     attribute is known, the unknown attributes are null, including nested attributes
 */
record KnownAttributes(Set<String> facets, Set<String> hidden, Set<String> optional) {
  private static final String EXTRA = "extra";

  /** Returns the attributes of an answer with all facets. */
  static KnownAttributes all(List<FacetView> facets) {
    return new KnownAttributes(
        facets.stream().map(FacetView::name).collect(Collectors.toSet()), Set.of(), Set.of(EXTRA));
  }

  /** Returns the attributes of an answer with the given facets. Undocumented attributes are always included. */
  static KnownAttributes of(String... facets) {
    return new KnownAttributes(union(Set.of(facets), EXTRA), Set.of(), Set.of(EXTRA));
  }

  KnownAttributes with(boolean wanted, String... more) {
    return wanted ? new KnownAttributes(union(facets, more), hidden, optional) : this;
  }

  KnownAttributes without(boolean unwanted, String... fewer) {
    var others = new HashSet<>(facets);
    if (unwanted) {
      others.removeAll(List.of(fewer));
    }
    return new KnownAttributes(others, hidden, optional);
  }

  KnownAttributes hiding(boolean unwanted, String... paths) {
    return unwanted ? new KnownAttributes(facets, union(hidden, paths), optional) : this;
  }

  KnownAttributes optional(String... names) {
    return new KnownAttributes(facets, hidden, union(optional, names));
  }

  private static Set<String> union(Set<String> some, String... more) {
    return Stream.concat(some.stream(), Stream.of(more)).collect(Collectors.toSet());
  }

  /**
   * Returns the resource with only the attributes of the answer, and the paths of those that are null. Changes the
   * given copy of the resource.
   */
  <R extends SpecificRecord> Observation<R> observation(KnownResource<R> known, List<FacetView> views) {
    var resource = known.resource();
    var nulls = new HashSet<String>();
    for (var i = 0; i < views.size(); i++) {
      var facet = views.get(i);
      if (!facets.contains(facet.name())) {
        facet.putValue(resource, null);
        continue;
      }
      var isOptional = optional.contains(facet.name());
      if (facet.valueIn(resource) == null && !isOptional && (known.facets() & 1L << i) != 0) {
        facet.putValue(resource, AvroRecords.blank(facet.valueSchema()));
      }
      var value = facet.valueIn(resource);
      if (value != null) {
        hide(facet.name() + ".", value);
        addNulls(facet.name() + ".", facet.attributes(), value, isOptional, nulls);
      }
    }
    return new Observation<>(resource, nulls);
  }

  private void hide(String prefix, IndexedRecord value) {
    for (var path : hidden) {
      if (path.startsWith(prefix)) {
        var names = path.substring(prefix.length()).split("\\.", 0);
        var record = value;
        for (var i = 0; i < names.length - 1 && record != null; i++) {
          record = (IndexedRecord) AvroRecords.at(record, names[i]);
        }
        if (record != null) {
          record.put(record.getSchema().getField(names[names.length - 1]).pos(), null);
        }
      }
    }
  }

  private void addNulls(
      String prefix, List<Attribute> attributes, IndexedRecord value, boolean withParts, Set<String> nulls) {
    for (var attribute : attributes) {
      var path = prefix + attribute.name();
      if (isScalar(attribute) && attribute.in(value) == null && !hidden.contains(path)) {
        nulls.add(path);
      } else if (withParts && attribute.type() instanceof Attribute.RecordOf record
          && attribute.in(value) instanceof IndexedRecord part) {
        addNulls(path + ".", record.attributes(), part, true, nulls);
      }
    }
  }

  /**
   * Returns whether an attribute without a value is null in an answer. Windows, maps and relationships without a
   * value are absent from the answer instead, and so are derived attributes, which the service never sends.
   */
  private static boolean isScalar(Attribute attribute) {
    return attribute.type() instanceof Attribute.Scalar
        && attribute.property("relationship") == null
        && attribute.property("derived") == null;
  }
}
