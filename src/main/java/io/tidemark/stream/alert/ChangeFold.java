package io.tidemark.stream.alert;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * How changes of one kind add up. A change says what changed; folded, it says all that is known: a facet that did not
 * change has the same {@code before} and {@code after}, as in a frame. Records without facets are whole as they are.
 */
final class ChangeFold {

  private static final String AFTER = "after";
  private static final String BEFORE = "before";
  private static final String LOOKED = "before_observed_at";

  private final Schema schema;
  private final List<Schema.Field> facets;

  private ChangeFold(Schema schema, List<Schema.Field> facets) {
    this.schema = schema;
    this.facets = facets;
  }

  static ChangeFold of(Schema schema) {
    return new ChangeFold(schema, schema.getFields().stream().filter(ChangeFold::isFacet).toList());
  }

  /** Whether there is anything to fold. */
  boolean hasFacets() {
    return !facets.isEmpty();
  }

  /** A change together with what was known before it; out of sight, what was known is not trusted. */
  SpecificRecord whole(SpecificRecord change, @Nullable SpecificRecord known) {
    if (known == null || !hasFacets() || !Traits.sameLife(change, known) || !Traits.isInSight(change, known)) {
      return change;
    }
    var whole = copy(change);
    for (var facet : facets) {
      if (whole.get(facet.pos()) == null) {
        whole.put(facet.pos(), known.get(facet.pos()));
      }
    }
    return whole;
  }

  /** What is to be remembered of a change and all before it: as a change of nothing. */
  SpecificRecord known(SpecificRecord change, @Nullable SpecificRecord known) {
    var next = copy(change);
    var before = known != null && Traits.sameLife(change, known) ? known : null;
    for (var facet : facets) {
      var said = (SpecificRecord) change.get(facet.pos());
      next.put(facet.pos(), said != null ? standing(said) : before == null ? null : before.get(facet.pos()));
    }
    Traits.settle(next, before);
    return next;
  }

  /** What is known, as far as it can be trusted: out of sight, facets cannot. */
  SpecificRecord trusted(SpecificRecord known) {
    if (Traits.isInSight(known, null)) {
      return known;
    }
    var trusted = copy(known);
    facets.forEach(facet -> trusted.put(facet.pos(), null));
    return trusted;
  }

  /** When an attribute that a change names was looked at the time before. */
  @Nullable
  Instant looked(String path, SpecificRecord change) {
    var field = schema.getField(path.split("\\.", 2)[0]);
    return field != null && change.get(field.pos()) instanceof SpecificRecord facet
        && facet.getSchema().getField(LOOKED) != null
        && facet.get(facet.getSchema().getField(LOOKED).pos()) instanceof Instant looked
            ? looked
            : Traits.previousLook(change);
  }

  private SpecificRecord copy(SpecificRecord record) {
    var copy = (SpecificRecord) SpecificData.get().newRecord(null, schema);
    schema.getFields().forEach(field -> copy.put(field.pos(), record.get(field.pos())));
    return copy;
  }

  /** The facet as one that did not change; what stands beside, such as a move in percent, was of the change. */
  private static SpecificRecord standing(SpecificRecord facet) {
    var schema = facet.getSchema();
    var standing = (SpecificRecord) SpecificData.get().newRecord(null, schema);
    var after = facet.get(schema.getField(AFTER).pos());
    standing.put(schema.getField(BEFORE).pos(), after);
    standing.put(schema.getField(AFTER).pos(), after);
    return standing;
  }

  private static boolean isFacet(Schema.Field field) {
    return field.schema().isUnion() && field.schema().getTypes().stream().anyMatch(ChangeFold::isFacetChange);
  }

  private static boolean isFacetChange(Schema schema) {
    return schema.getType() == Schema.Type.RECORD
        && schema.getField(BEFORE) != null
        && schema.getField(AFTER) != null
        && Objects.equals(schema.getField(BEFORE).schema(), schema.getField(AFTER).schema());
  }
}
