package io.tidemark.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** One facet of a resource: its value in the resource, and its change in the resource's change. */
@NullMarked
public final class FacetView {
  private final Schema.Field inResource;
  private final Schema.Field inChange;
  private final Schema value;
  private final Schema change;
  private final Schema.@Nullable Field before;
  private final Schema.@Nullable Field after;
  private final Schema.Field beforeObservedAt;
  private final List<Attribute> attributes;
  private final List<DerivedFigure> derived;
  private final Publishing publishing;

  FacetView(Schema.Field inResource, Schema.Field inChange) {
    this.inResource = inResource;
    this.inChange = inChange;
    this.value = AvroRecords.nonNull(inResource.schema());
    this.change = AvroRecords.nonNull(inChange.schema());
    this.before = change.getField("before");
    this.after = change.getField("after");
    this.beforeObservedAt = Objects.requireNonNull(change.getField("before_observed_at"), change.getFullName());
    this.attributes = Attribute.of(value);
    this.derived = Attribute.of(change).stream().filter(DerivedFigure::isOne).map(DerivedFigure::of).toList();
    this.publishing = publishing(inResource.getProp("emit"));
  }

  /** When a change of a facet is published by default: the schemas' property {@code emit}. */
  public enum Publishing {
    /** At once. */
    AT_ONCE,
    /** With another facet, or at most every five minutes. */
    COALESCED,
    /** Only with another facet. */
    WITH_OTHERS
  }

  public String name() {
    return inResource.name();
  }

  public Schema valueSchema() {
    return value;
  }

  public Schema changeSchema() {
    return change;
  }

  /** Attributes of the facet's value. */
  public List<Attribute> attributes() {
    return attributes;
  }

  public List<DerivedFigure> derived() {
    return derived;
  }

  public Publishing publishing() {
    return publishing;
  }

  private static Publishing publishing(@Nullable String emit) {
    return emit == null ? Publishing.AT_ONCE : emit.equals("travels") ? Publishing.WITH_OTHERS : Publishing.COALESCED;
  }

  /** Whether the facet is the order of a list, whose change holds entered, exited and moved members, not two values. */
  public boolean isList() {
    return before == null;
  }

  /** The facet's value in a resource; null where nothing of it is known. */
  public @Nullable IndexedRecord valueIn(IndexedRecord resource) {
    return (IndexedRecord) resource.get(inResource.pos());
  }

  /** A value of the facet in which nothing is known. */
  public IndexedRecord blankValue() {
    return AvroRecords.blank(value);
  }

  public void putValue(IndexedRecord resource, @Nullable IndexedRecord facet) {
    resource.put(inResource.pos(), facet);
  }

  /** The facet's change in a change of the resource; null where that does not carry the facet. */
  public @Nullable IndexedRecord changeIn(IndexedRecord resourceChange) {
    return (IndexedRecord) resourceChange.get(inChange.pos());
  }

  public void putChange(IndexedRecord resourceChange, @Nullable IndexedRecord facetChange) {
    resourceChange.put(inChange.pos(), facetChange);
  }

  /** The value before; null where none was published, and of a list. */
  public @Nullable IndexedRecord before(IndexedRecord facetChange) {
    return before == null ? null : (IndexedRecord) facetChange.get(before.pos());
  }

  /** The value after; null where the facet is no longer known, and of a list. */
  public @Nullable IndexedRecord after(IndexedRecord facetChange) {
    return after == null ? null : (IndexedRecord) facetChange.get(after.pos());
  }

  public @Nullable Instant beforeObservedAt(IndexedRecord facetChange) {
    return (Instant) facetChange.get(beforeObservedAt.pos());
  }

  /** Whether the facet changed; a key frame also carries facets that did not. A list's first order is a change. */
  public boolean isChanged(IndexedRecord facetChange) {
    return facetChange instanceof RankingOrderChange order
        ? order.getBeforeObservedAt() == null
            || !order.getEntered().isEmpty()
            || !order.getExited().isEmpty()
            || !order.getMoved().isEmpty()
        : !AvroRecords.areEqual(before(facetChange), after(facetChange));
  }

  /** The change from one value to another, with its derived figures. Not of a list. */
  public SpecificRecord change(
      @Nullable IndexedRecord from, @Nullable IndexedRecord to, @Nullable Instant fromObservedAt) {
    var facetChange = withValues(from, to);
    facetChange.put(beforeObservedAt.pos(), fromObservedAt);
    for (var figure : derived) {
      facetChange.put(figure.position(), figure.compute(from, to));
    }
    return facetChange;
  }

  /** A change in which a value stays as it is: no derived figure, no time. Not of a list. */
  public SpecificRecord unchanged(IndexedRecord known) {
    return withValues(known, known);
  }

  private SpecificRecord withValues(@Nullable IndexedRecord from, @Nullable IndexedRecord to) {
    var facetChange = AvroRecords.blank(change);
    facetChange.put(Objects.requireNonNull(before).pos(), from);
    facetChange.put(Objects.requireNonNull(after).pos(), to);
    return facetChange;
  }

  /**
   * A figure of a facet's change that follows from its two values: the schemas' properties {@code move} and {@code
   * difference}.
   *
   * @param position in the facet's change
   * @param attribute path in the facet's value
   */
  public record DerivedFigure(String name, int position, String attribute, boolean isPercentage) {
    static boolean isOne(Attribute attribute) {
      return attribute.property("move") != null || attribute.property("difference") != null;
    }

    static DerivedFigure of(Attribute attribute) {
      var move = attribute.property("move");
      var path = Objects.requireNonNull(move == null ? attribute.property("difference") : move);
      return new DerivedFigure(attribute.name(), attribute.position(), path, move != null);
    }

    /** The figure for two values of the facet; null where it cannot be computed. */
    public @Nullable Double compute(@Nullable IndexedRecord before, @Nullable IndexedRecord after) {
      var from = AvroRecords.at(before, attribute);
      var to = AvroRecords.at(after, attribute);
      return isPercentage ? DecimalMath.percentChange(from, to) : DecimalMath.difference(from, to);
    }

    /** The figure as a facet's change holds it. */
    public @Nullable Double in(IndexedRecord facetChange) {
      return (Double) facetChange.get(position);
    }
  }
}
