package io.tidemark.audit;

import io.tidemark.event.ChangeView;
import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.FacetView;
import io.tidemark.event.FoldedResource;
import io.tidemark.event.Moved;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.kafka.OffsetRange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * A checker of the changes in one partition. It checks that the changes of each resource follow from one another, and
 * folds them.
 */
final class ChangeChecker {

  /**
   * Tolerance of figures that the audit derives again, relative to the figure, or absolute if the figure is below 1,
   * since another machine may round differently.
   */
  private static final double TOLERANCE = 1e-9;

  /** Maximum error of the difference between the service's times of two answers. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(2);

  private final ChangeView view;
  private final List<FacetView> facets;
  private final OffsetRange range;
  private final CheckedReader reader;
  private final AuditReport report;

  ChangeChecker(ChangeView view, OffsetRange range, CheckedReader reader, AuditReport report) {
    this.view = view;
    this.facets = view.facets();
    this.range = range;
    this.reader = reader;
    this.report = report;
  }

  /**
   * Checks a change against the fold of the changes before it, and adds the change to this same fold. Creates the
   * fold if it is null. Returns the fold.
   */
  AuditedFold fold(@Nullable AuditedFold before, AuditedChange change, boolean settled) {
    var fold = before == null ? new AuditedFold(view) : before;
    checkRevision(before, change);
    if (change.revision() == 1) {
      fold.begin(change.record().offset());
    }
    var changed = new TreeSet<>(change.otherParts());
    for (var index = 0; index < facets.size(); index++) {
      if (checkFacet(fold, index, change)) {
        changed.add(facets.get(index).name());
      }
    }
    check(ConsistencyLaw.CHANGED_FACETS, change, "header facets", changed, change.facetsHeader());
    check(ConsistencyLaw.PARTITIONS, change, "header id", change.id(), change.record().header("id"));
    fold.add(change, settled);
    return fold;
  }

  private void checkRevision(@Nullable AuditedFold before, AuditedChange change) {
    if (before == null) {
      if (!range.isTruncated() || change.revision() < 1) {
        check(ConsistencyLaw.REVISIONS, change, "revision", 1L, change.revision());
      }
    } else if (before.generation() == change.generation()) {
      check(ConsistencyLaw.REVISIONS, change, "revision", before.revision() + 1, change.revision());
    } else {
      check(ConsistencyLaw.REVISIONS, change, "revision", 1L, change.revision());
      checkNewGeneration(before, change);
    }
    if (change.revision() == 1) {
      check(ConsistencyLaw.REVISIONS, change, "generation", change.origin().getObservedAt(),
          Instant.ofEpochMilli(change.generation()));
      check(ConsistencyLaw.KEY_FRAMES, change, "origin.key_frame", true, change.isKeyFrame());
    }
  }

  private void checkNewGeneration(AuditedFold before, AuditedChange change) {
    var position = change.record().position();
    if (change.generation() < before.generation()) {
      report.add(ConsistencyLaw.REVISIONS, position, "generation", "after " + before.generation(), change.generation());
    }
    if (!before.isEvicted() && !change.isReobserved()) {
      report.add(ConsistencyLaw.EVICTIONS, position, "generation",
          "still " + before.generation() + ", because no change evicted the resource", change.generation());
    }
  }

  /** Checks a facet in a change against the value of the facet before the change. Returns whether the facet changed. */
  private boolean checkFacet(AuditedFold fold, int index, AuditedChange change) {
    var facet = facets.get(index);
    var facetChange = facet.changeIn(change.value());
    return switch (facetChange) {
      case null -> {
        checkAbsent(fold, index, change);
        yield false;
      }
      case RankingOrderChange order -> {
        checkOrder(change, fold.order(), order);
        yield facet.isChanged(order);
      }
      default -> checkValue(fold, index, change, facetChange);
    };
  }

  /**
   * Checks a facet that a change does not include. If the change is a key frame and the fold is complete, the facet
   * must have no value.
   */
  private void checkAbsent(AuditedFold fold, int index, AuditedChange change) {
    if (change.isKeyFrame() && fold.isComplete() && fold.hash(index) != ValueHash.NULL) {
      report.addLazily(ConsistencyLaw.KEY_FRAMES, change.record().position(), facets.get(index).name(),
          lastValue(fold, index),
          () -> "a key frame without the facet");
    }
  }

  private boolean checkValue(AuditedFold fold, int index, AuditedChange change, IndexedRecord facetChange) {
    var facet = facets.get(index);
    var position = change.record().position();
    var before = facet.before(facetChange);
    var after = facet.after(facetChange);
    var hash = ValueHash.of(after);
    var changed = hash != ValueHash.of(before);
    if (fold.isKnown(index) && fold.hash(index) != ValueHash.of(before)) {
      report.addLazily(ConsistencyLaw.BEFORE, position, facet.name() + ".before", lastValue(fold, index), () -> before);
    }
    if (!changed && !change.isKeyFrame()) {
      report.add(ConsistencyLaw.CHANGED_FACETS, position, facet.name(), "a value that differs from the value before",
          after);
    }
    checkFigures(change, facet, facetChange, before, after);
    checkBeforeObservedAt(change, facet, facetChange, before != null);
    if (changed) {
      checkInformant(fold, index, change, ValueHash.of(before), hash);
    }
    return changed;
  }

  /**
   * Checks that a facet does not flip back to its previous value, if two different targets showed the two values as of
   * almost the same time. A flip means that one of the service's caches is behind another, and that an answer replaced
   * the value without being newer. Skips facets that are not published at once, because their changes do not name the
   * snapshot that observed the value.
   */
  private void checkInformant(AuditedFold fold, int index, AuditedChange change, long hashBefore, long hash) {
    var origin = change.origin();
    var facet = facets.get(index);
    if (facet.publishing() == FacetView.Publishing.AT_ONCE && fold.isFlip(index, origin, hash, CLOCK_TOLERANCE)) {
      report.add(ConsistencyLaw.INFORMANTS, change.record().position(), facet.name(),
          "no return to the previous value because of another target within 2 s",
          "a return to the value before the change at offset " + fold.setAt(index));
    }
    fold.setInformant(index, origin, hashBefore);
  }

  private void checkBeforeObservedAt(
      AuditedChange change, FacetView facet, IndexedRecord facetChange, boolean hasBefore) {
    var at = facet.beforeObservedAt(facetChange);
    if (at == null ? hasBefore : at.isAfter(change.origin().getObservedAt())) {
      report.add(ConsistencyLaw.BEFORE, change.record().position(), facet.name() + ".before_observed_at",
          "a time not after " + change.origin().getObservedAt(), at);
    }
  }

  /** Checks the derived figures by computing them again, independently of the code that wrote them. */
  private void checkFigures(
      AuditedChange change,
      FacetView facet,
      IndexedRecord facetChange,
      @Nullable IndexedRecord before,
      @Nullable IndexedRecord after) {
    for (var figure : facet.derived()) {
      var from = number(before, figure.attribute());
      var to = number(after, figure.attribute());
      var expected = from == null || to == null || (figure.isPercentage() && from == 0)
          ? null
          : finite(figure.isPercentage() ? 100 * (to / from - 1) : to - from);
      var found = figure.in(facetChange);
      if (!isClose(expected, found)) {
        report.add(ConsistencyLaw.FIGURES, change.record().position(), facet.name() + "." + figure.name(), expected,
            found);
      }
    }
  }

  private static @Nullable Double number(@Nullable IndexedRecord value, String attribute) {
    var text = value == null ? null : value.get(value.getSchema().getField(attribute).pos());
    try {
      return text == null ? null : finite(Double.parseDouble(text.toString()));
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static @Nullable Double finite(double number) {
    return Double.isFinite(number) ? number : null;
  }

  private static boolean isClose(@Nullable Double expected, @Nullable Double found) {
    return (expected == null || found == null)
        ? Objects.equals(expected, found)
        : Math.abs(expected - found) <= TOLERANCE * Math.max(1, Math.abs(expected));
  }

  /**
   * Returns a supplier of the folded value of a facet. The value is read again from the change that set the facet.
   * The order of a ranking comes from the fold itself, as it is when the supplier is called.
   */
  Supplier<@Nullable Object> lastValue(AuditedFold fold, int index) {
    var offset = fold.setAt(index);
    var facet = facets.get(index);
    return () -> {
      if (facet.isList()) {
        return fold.order();
      }
      var change = reader.value(range.topic(), range.partition(), offset);
      var facetChange = change == null ? null : facet.changeIn(change);
      return facetChange == null ? null : facet.after(facetChange);
    };
  }

  private void check(
      ConsistencyLaw law, AuditedChange change, String where, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      report.add(law, change.record().position(), where, expected, found);
    }
  }

  /** Checks a change of a ranking against the order before the change. */
  private void checkOrder(AuditedChange change, @Nullable List<String> before, RankingOrderChange orderChange) {
    if (before != null) {
      var after = FoldedResource.order(before, orderChange);
      checkRanks(change, before, after, orderChange);
      check(ConsistencyLaw.RANKINGS, change, "order.size", after.size(), orderChange.getSize());
      check(ConsistencyLaw.RANKINGS, change, "order.entries", change.isKeyFrame() ? after : null,
          orderChange.getEntries());
    }
  }

  private void checkRanks(
      AuditedChange change, List<String> before, List<String> after, RankingOrderChange orderChange) {
    for (Entered each : orderChange.getEntered()) {
      checkRank(change, "order.entered", each.getPool(), after, each.getRank());
      checkRank(change, "order.entered", each.getPool(), before, 0);
    }
    for (Exited each : orderChange.getExited()) {
      checkRank(change, "order.exited", each.getPool(), before, each.getRankBefore());
    }
    for (Moved each : orderChange.getMoved()) {
      checkRank(change, "order.moved", each.getPool(), before, each.getRankBefore());
      checkRank(change, "order.moved", each.getPool(), after, each.getRank());
    }
  }

  private void checkRank(AuditedChange change, String where, String pool, List<String> order, int found) {
    check(ConsistencyLaw.RANKINGS, change, where + ", rank of " + pool, order.indexOf(pool) + 1, found);
  }
}
