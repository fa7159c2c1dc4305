package io.tidemark.capture.change;

import io.tidemark.capture.change.PageObservations.ResourceObservation;
import io.tidemark.event.Attribute;
import io.tidemark.event.AvroRecords;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the row that counts as the resource if a snapshot has several rows with the same key. The row nearest to the
 * known values is chosen, so that the choice stays the same as long as this row is present. Among equally near rows,
 * {@link ResourceKind#preference} decides (usually the newest trade, then the largest volume), and then the texts of
 * the rows. The order of the rows does not matter, except that for a pool or token the first row is chosen.
 */
record DuplicateRowChoice(ResourceDrafts drafts) {

  /** Kinds whose keys are addresses, so that a second row with the same key is the same resource at another time. */
  private static final Set<ResourceKind> UNIQUE = Set.of(ResourceKind.POOL, ResourceKind.TOKEN);

  /**
   * Returns the chosen row, but listed if the first row is listed.
   *
   * @param rows rows with the same key, in the order of the pages and within them
   */
  ResourceObservation choose(List<ResourceObservation> rows) {
    var first = rows.getFirst();
    if (rows.size() == 1 || UNIQUE.contains(first.kind())) {
      return first;
    }
    var known = drafts.known(first.kind(), first.key());
    Comparator<ResourceObservation> order =
        Comparator.comparingDouble(row -> known == null ? 0 : distance(known, row.resource(), first.kind()));
    for (var path : first.kind().preference()) {
      order = order.thenComparingDouble(row -> -ResourceKind.figure(AvroRecords.at(row.resource(), path)));
    }
    var chosen = rows.stream().min(order.thenComparing(row -> row.observation().toString())).orElseThrow();
    return new ResourceObservation(
        chosen.kind(), chosen.key(), chosen.observation(), chosen.asOf(), chosen.orderedBy(), first.isListed());
  }

  /**
   * Returns the distance of a row from the known values, summed over all attributes. Two different numbers add their
   * difference divided by the sum of their absolute values, and any other difference adds one.
   */
  private static double distance(IndexedRecord known, IndexedRecord row, ResourceKind kind) {
    return kind.facets().stream()
        .mapToDouble(facet -> distance(facet.valueIn(known), facet.valueIn(row), facet.attributes())).sum();
  }

  private static double distance(
      @Nullable IndexedRecord known, @Nullable IndexedRecord row, List<Attribute> attributes) {
    return attributes.stream()
        .mapToDouble(
            each -> distance(each.type(), known == null ? null : each.in(known), row == null ? null : each.in(row)))
        .sum();
  }

  private static double distance(Attribute.Type type, @Nullable Object known, @Nullable Object row) {
    if (type instanceof Attribute.RecordOf record) {
      return distance((IndexedRecord) known, (IndexedRecord) row, record.attributes());
    }
    if (Objects.equals(known, row)) {
      return 0;
    }
    var isFigure = type == Attribute.Scalar.DOUBLE || type == Attribute.Scalar.LONG || type == Attribute.Scalar.DECIMAL;
    var one = ResourceKind.figure(known);
    var other = ResourceKind.figure(row);
    if (isFigure && one == other) {
      return 0; // equal numbers in different spellings, such as 0 and 0.0
    }
    return isFigure && Double.isFinite(one) && Double.isFinite(other)
        ? Math.min(1, Math.abs(one - other) / (Math.abs(one) + Math.abs(other)))
        : 1;
  }
}
