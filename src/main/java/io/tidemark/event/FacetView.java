package io.tidemark.event;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A view of one facet, which is a group of attributes that change together. It gives access to the facet's value in a
 * resource, and to the facet's part of a change of the resource.
 */
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

  /** The default schedule for publishing changes of a facet, from the schema property {@code emit}. */
  public enum Publishing {
    /** Immediately. */
    AT_ONCE,
    /**
     * In a change that is published for another reason, or else at the earliest five minutes after the last published
     * change of the facet.
     */
    COALESCED,
    /** Only in a change that is published for another reason, such as another facet or the resource's removal. */
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
   * Returns whether the facet is the order of a list. A change of such a facet contains the members that entered,
   * exited and moved, instead of the values before and after.
   */
  public boolean isList() {
    return before == null;
  }

  /** Returns the facet's value in a resource, or null if none of the facet's attributes is known. */
  public @Nullable IndexedRecord valueIn(IndexedRecord resource) {
    return (IndexedRecord) resource.get(inResource.pos());
  }

  /** Creates a value of the facet in which no attribute is known. */
  public IndexedRecord blankValue() {
    return AvroRecords.blank(value);
  }

  public void putValue(IndexedRecord resource, @Nullable IndexedRecord facet) {
    resource.put(inResource.pos(), facet);
  }

  /** Returns the facet's part of a change of the resource, or null if the change does not include the facet. */
  public @Nullable IndexedRecord changeIn(IndexedRecord resourceChange) {
    return (IndexedRecord) resourceChange.get(inChange.pos());
  }

  public void putChange(IndexedRecord resourceChange, @Nullable IndexedRecord facetChange) {
    resourceChange.put(inChange.pos(), facetChange);
  }

  /** Returns the value before the change, or null if no value was published before or the facet is a list. */
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
   * Returns whether the facet differs before and after the change. A key frame also includes facets that did not
   * change. The first observed order of a list counts as a change.
   */
  public boolean isChanged(IndexedRecord facetChange) {
    return facetChange instanceof RankingOrderChange order
        ? order.getBeforeObservedAt() == null
            || !order.getEntered().isEmpty()
            || !order.getExited().isEmpty()
            || !order.getMoved().isEmpty()
        : !AvroRecords.areEqual(before(facetChange), after(facetChange));
  }

  /**
   * Creates the facet's change from one value to another, including the derived figures. Not supported if the facet is
   * a list.
   */
  public SpecificRecord change(
      @Nullable IndexedRecord from, @Nullable IndexedRecord to, @Nullable Instant fromObservedAt) {
    var facetChange = withValues(from, to);
    facetChange.put(beforeObservedAt.pos(), fromObservedAt);
    for (var figure : derived) {
      facetChange.put(figure.position(), figure.compute(from, to));
    }
    return facetChange;
  }

  /**
   * Creates a change with the same value before and after. The derived figures and {@code before_observed_at} are not
   * set. Not supported if the facet is a list.
   */
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
   * A figure in a facet's change that is computed from the values before and after. It is the change in percent if the
   * schema field has the property {@code move}, and the difference if the field has the property {@code difference}.
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

    /** Computes the figure from the facet's values before and after. Returns null if the figure cannot be computed. */
    public @Nullable Double compute(@Nullable IndexedRecord before, @Nullable IndexedRecord after) {
      var from = AvroRecords.at(before, attribute);
      var to = AvroRecords.at(after, attribute);
      return isPercentage ? DecimalMath.percentChange(from, to) : DecimalMath.difference(from, to);
    }

    public @Nullable Double in(IndexedRecord facetChange) {
      return (Double) facetChange.get(position);
    }
  }
}
