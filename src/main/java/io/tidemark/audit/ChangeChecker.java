package io.tidemark.audit;

import io.tidemark.event.RankingOrderChange;
import io.tidemark.topic.OffsetRange;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** The changes of each resource in one partition follow from one another; folds them. */
final class ChangeChecker {

  /** Parts of a change that are news by being there. */
  private static final List<String> NEWS = List.of("appeared", "visibility", "removed");

  private final List<FacetFields> facets;
  private final OffsetRange range;
  private final CheckedReader reading;
  private final AuditReport report;

  ChangeChecker(List<FacetFields> facets, OffsetRange range, CheckedReader reading, AuditReport report) {
    this.facets = facets;
    this.range = range;
    this.reading = reading;
    this.report = report;
  }

  /** The fold with one change more. */
  FoldedResource fold(@Nullable FoldedResource known, AuditedChange change, boolean settled) {
    var fold = known == null ? new FoldedResource(facets.size()) : known;
    number(known, change);
    if (change.revision() == 1) {
      fold.begin(change.row().offset());
    }
    var named = new TreeSet<String>();
    for (var place = 0; place < facets.size(); place++) {
      if (facet(fold, place, change)) {
        named.add(facets.get(place).name());
      }
    }
    NEWS.stream().filter(change::has).forEach(named::add);
    same(Law.CHANGED_FACETS, change, "header facets", named, change.named());
    same(Law.PARTITIONS, change, "header id", change.id(), change.row().header("id"));
    fold.end(change, settled);
    return fold;
  }

  private void number(@Nullable FoldedResource before, AuditedChange change) {
    if (before == null) {
      if (!range.isTruncated() || change.revision() < 1) {
        same(Law.REVISIONS, change, "revision", 1L, change.revision());
      }
    } else if (before.generation() == change.generation()) {
      same(Law.REVISIONS, change, "revision", before.revision() + 1, change.revision());
    } else {
      same(Law.REVISIONS, change, "revision", 1L, change.revision());
      anew(before, change);
    }
    if (change.revision() == 1) {
      same(Law.REVISIONS, change, "generation", change.origin().getObservedAt(),
          Instant.ofEpochMilli(change.generation()));
      same(Law.KEY_FRAMES, change, "origin.key_frame", true, change.isKeyFrame());
    }
  }

  private void anew(FoldedResource before, AuditedChange change) {
    if (change.generation() < before.generation()) {
      report.add(Law.REVISIONS, change.row().position(), "generation", "after " + before.generation(),
          change.generation());
    }
    if (!before.evicted()) {
      report.add(Law.EVICTIONS, change.row().position(), "generation",
          before.generation() + ", which was not forgotten",
          change.generation());
    }
  }

  /** Whether the change names the facet as one that changed. */
  private boolean facet(FoldedResource fold, int place, AuditedChange change) {
    var said = facets.get(place).changeIn(change.value());
    if (said == null) {
      missing(fold, place, change);
      return false;
    }
    return said instanceof RankingOrderChange order
        ? new RankingOrderChecker(report, change).fold(fold, place, order)
        : value(fold, place, change, said);
  }

  private void missing(FoldedResource fold, int place, AuditedChange change) {
    if (!change.isKeyFrame()) {
      return;
    }
    if (fold.complete() && fold.hash(place) != ValueHash.NULL) {
      report.addRead(Law.KEY_FRAMES, change.row().position(), name(place), said(fold, place), () -> "nothing of it");
    }
    fold.set(place, ValueHash.NULL, change.row().offset());
  }

  private boolean value(FoldedResource fold, int place, AuditedChange change, IndexedRecord said) {
    var before = RecordFields.part(said, "before");
    var after = RecordFields.part(said, "after");
    var hash = ValueHash.of(after);
    var changed = hash != ValueHash.of(before);
    if (fold.knows(place) && fold.hash(place) != ValueHash.of(before)) {
      report.addRead(Law.BEFORE, change.row().position(), name(place) + ".before", said(fold, place), () -> before);
    }
    if (!changed && !change.isKeyFrame()) {
      report.add(Law.CHANGED_FACETS, change.row().position(), name(place), "a difference", after);
    }
    DerivedFigureChecker.check(report, change, name(place), said);
    seen(change, place, said, before != null);
    fold.set(place, hash, change.row().offset());
    return changed;
  }

  private void seen(AuditedChange change, int place, IndexedRecord said, boolean before) {
    var seen = (Instant) RecordFields.get(said, "before_observed_at");
    if (seen == null ? before : seen.isAfter(change.origin().getObservedAt())) {
      report.add(Law.BEFORE, change.row().position(), name(place) + ".before_observed_at",
          "a time not after " + change.origin().getObservedAt(), seen);
    }
  }

  /** What was said last of a facet, read again. */
  Supplier<@Nullable Object> said(FoldedResource fold, int place) {
    var offset = fold.lastChangedAt(place);
    return () -> {
      var change = reading.value(range.topic(), range.partition(), offset);
      var said = change == null ? null : facets.get(place).changeIn(change);
      return facets.get(place).ordered() ? fold.order : said == null ? null : RecordFields.part(said, "after");
    };
  }

  private String name(int place) {
    return facets.get(place).name();
  }

  private void same(Law law, AuditedChange change, String where, Object expected, Object found) {
    if (!expected.equals(found)) {
      report.add(law, change.row().position(), where, expected, found);
    }
  }
}
