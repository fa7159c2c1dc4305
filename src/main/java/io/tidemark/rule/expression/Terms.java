package io.tidemark.rule.expression;

import dev.cel.common.types.SimpleType;
import io.tidemark.rule.expression.Term.Accessor;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * The terms that a schema gives rise to.
 *
 * <p>Fields are named by their path. Of a facet's change, {@code <facet>.x} is the value after, {@code
 * before.<facet>.x} the value before, and what stands beside the two (move_percent) is under the facet's name too. In a
 * change record {@code changed.<facet>} says whether the facet changed; it is known even where the facet is missing.
 */
final class Terms {

  private static final String AFTER = "after";
  private static final String BEFORE = "before";

  private final SortedMap<String, Term> found = new TreeMap<>();

  private Terms() {}

  /** The terms of records of this schema, by name. */
  static SortedMap<String, Term> of(Schema schema) {
    var terms = new Terms();
    terms.record("", schema, Accessor.ROOT);
    if (isChange(schema)) {
      schema.getFields().forEach(terms::changed);
    }
    return Collections.unmodifiableSortedMap(terms.found);
  }

  private void record(String prefix, Schema schema, Accessor place) {
    schema.getFields().forEach(field -> field(prefix, schema, field, place.field(field.pos())));
  }

  private void field(String prefix, Schema owner, Schema.Field field, Accessor place) {
    var schema = AvroToCel.present(field.schema());
    if (isFacetChange(schema)) {
      facet(field.name(), schema, place);
    } else if (schema.getType() == Schema.Type.RECORD) {
      record(prefix + field.name() + ".", schema, place);
    } else {
      value(prefix + field.name(), owner, field, place);
    }
  }

  private void facet(String facet, Schema change, Accessor place) {
    for (var field : change.getFields()) {
      var inside = place.field(field.pos());
      switch (field.name()) {
        case AFTER -> record(facet + ".", AvroToCel.present(field.schema()), inside);
        case BEFORE -> record(BEFORE + "." + facet + ".", AvroToCel.present(field.schema()), inside);
        default -> field(facet + ".", change, field, inside);
      }
    }
  }

  private void value(String name, Schema owner, Schema.Field field, Accessor place) {
    var shape = AvroToCel.of(owner, field);
    if (shape != null) {
      put(new Term(name, shape.type(), place.as(shape), ImpossibleComparisons.of(field)));
    }
  }

  private void changed(Schema.Field field) {
    if (AvroToCel.isNullable(field.schema()) && AvroToCel.present(field.schema()).getType() == Schema.Type.RECORD) {
      var place = Accessor.ROOT.field(field.pos());
      Accessor says = root -> saysSomething((IndexedRecord) place.in(root));
      put(new Term("changed." + field.name(), SimpleType.BOOL, says, List.of()));
    }
  }

  private void put(Term term) {
    found.put(term.name(), term);
  }

  private static boolean isChange(Schema schema) {
    return schema.getField("appeared") != null;
  }

  private static boolean isFacetChange(Schema schema) {
    return schema.getType() == Schema.Type.RECORD
        && schema.getField(BEFORE) != null
        && schema.getField(AFTER) != null;
  }

  /** A frame carries facets that did not change: equal before and after, or (an order) without a single move. */
  private static boolean saysSomething(@Nullable IndexedRecord part) {
    if (part == null) {
      return false;
    }
    var schema = part.getSchema();
    if (isFacetChange(schema)) {
      return !Objects.equals(part.get(schema.getField(BEFORE).pos()), part.get(schema.getField(AFTER).pos()));
    }
    var moves = schema.getFields().stream().filter(field -> field.schema().getType() == Schema.Type.ARRAY).toList();
    return moves.isEmpty()
        || moves.stream().anyMatch(field -> !((Collection<?>) part.get(field.pos())).isEmpty());
  }
}
