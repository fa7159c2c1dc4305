package io.tidemark.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** A view of one facet: of its value in a resource, and of its change in the resource's change. */
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

  /** When changes of a facet are published by default, from the schema property {@code emit}. */
  public enum Publishing {
    /** Immediately. */
    AT_ONCE,
    /** Together with another facet, or at most every five minutes on its own. */
    COALESCED,
    /** Only together with another facet. */
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

  /** Returns the attributes of the facet's value. */
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

  /**
   * Returns whether the facet is the order of a list, whose change holds entered, exited and moved members, not two
   * values.
   */
  public boolean isList() {
    return before == null;
  }

  /** Returns the facet's value in a resource, or null if none of its attributes is known. */
  public @Nullable IndexedRecord valueIn(IndexedRecord resource) {
    return (IndexedRecord) resource.get(inResource.pos());
  }

  /** Creates a value of the facet without any known attribute. */
  public IndexedRecord blankValue() {
    return AvroRecords.blank(value);
  }

  public void putValue(IndexedRecord resource, @Nullable IndexedRecord facet) {
    resource.put(inResource.pos(), facet);
  }

  /** Returns the facet's change in a change of the resource, or null if that change does not include the facet. */
  public @Nullable IndexedRecord changeIn(IndexedRecord resourceChange) {
    return (IndexedRecord) resourceChange.get(inChange.pos());
  }

  public void putChange(IndexedRecord resourceChange, @Nullable IndexedRecord facetChange) {
    resourceChange.put(inChange.pos(), facetChange);
  }

  /** Returns the value before the change, or null if none was published or the facet is a list. */
  public @Nullable IndexedRecord before(IndexedRecord facetChange) {
    return before == null ? null : (IndexedRecord) facetChange.get(before.pos());
  }

  /** Returns the value after the change, or null if the facet is no longer known or is a list. */
  public @Nullable IndexedRecord after(IndexedRecord facetChange) {
    return after == null ? null : (IndexedRecord) facetChange.get(after.pos());
  }

  public @Nullable Instant beforeObservedAt(IndexedRecord facetChange) {
    return (Instant) facetChange.get(beforeObservedAt.pos());
  }

  /**
   * Returns whether the facet changed. A key frame also includes unchanged facets. The first order of a list is a
   * change.
   */
  public boolean isChanged(IndexedRecord facetChange) {
    return facetChange instanceof RankingOrderChange order
        ? order.getBeforeObservedAt() == null
            || !order.getEntered().isEmpty()
            || !order.getExited().isEmpty()
            || !order.getMoved().isEmpty()
        : !AvroRecords.areEqual(before(facetChange), after(facetChange));
  }

  /** Creates the change from one value to another, with its derived figures. Not supported for a list. */
  public SpecificRecord change(
      @Nullable IndexedRecord from, @Nullable IndexedRecord to, @Nullable Instant fromObservedAt) {
    var facetChange = withValues(from, to);
    facetChange.put(beforeObservedAt.pos(), fromObservedAt);
    for (var figure : derived) {
      facetChange.put(figure.position(), figure.compute(from, to));
    }
    return facetChange;
  }

  /** Creates a change whose value stays the same, without derived figures or time. Not supported for a list. */
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
   * A figure in a facet's change that is computed from its two values, as the schema properties {@code move} and
   * {@code difference} define.
   *
   * @param position position in the facet's change
   * @param attribute path of the attribute in the facet's value
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

    /** Computes the figure for two values of the facet, or returns null if it cannot be computed. */
    public @Nullable Double compute(@Nullable IndexedRecord before, @Nullable IndexedRecord after) {
      var from = AvroRecords.at(before, attribute);
      var to = AvroRecords.at(after, attribute);
      return isPercentage ? DecimalMath.percentChange(from, to) : DecimalMath.difference(from, to);
    }

    /** Returns the figure stored in a facet's change. */
    public @Nullable Double in(IndexedRecord facetChange) {
      return (Double) facetChange.get(position);
    }
  }
}
