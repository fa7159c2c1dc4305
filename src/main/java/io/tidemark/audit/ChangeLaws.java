package io.tidemark.audit;

import io.tidemark.event.RankingOrderChange;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** The changes of each resource in one partition follow from one another; folds them. */
final class ChangeLaws {

  /** Parts of a change that are news by being there. */
  private static final List<String> NEWS = List.of("appeared", "sight", "left");

  private final List<Facet> facets;
  private final Span span;
  private final Reading reading;
  private final Report report;

  ChangeLaws(List<Facet> facets, Span span, Reading reading, Report report) {
    this.facets = facets;
    this.span = span;
    this.reading = reading;
    this.report = report;
  }

  /** The fold with one change more. */
  Fold fold(@Nullable Fold known, Change change, boolean settled) {
    var fold = known == null ? new Fold(facets.size()) : known;
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
    same(Law.NEWS, change, "header facets", named, change.named());
    same(Law.PLACES, change, "header id", change.id(), change.row().header("id"));
    fold.end(change, settled);
    return fold;
  }

  private void number(@Nullable Fold before, Change change) {
    if (before == null) {
      if (!span.cut() || change.revision() < 1) {
        same(Law.REVISIONS, change, "revision", 1L, change.revision());
      }
    } else if (before.life() == change.life()) {
      same(Law.REVISIONS, change, "revision", before.revision() + 1, change.revision());
    } else {
      same(Law.REVISIONS, change, "revision", 1L, change.revision());
      anew(before, change);
    }
    if (change.revision() == 1) {
      same(Law.REVISIONS, change, "life", change.origin().getObservedAt(), Instant.ofEpochMilli(change.life()));
      same(Law.FRAMES, change, "origin.frame", true, change.isFrame());
    }
  }

  private void anew(Fold before, Change change) {
    if (change.life() < before.life()) {
      report.add(Law.REVISIONS, change.row().place(), "life", "after " + before.life(), change.life());
    }
    if (!before.forgotten()) {
      report.add(Law.PARTINGS, change.row().place(), "life", before.life() + ", which was not forgotten",
          change.life());
    }
  }

  /** Whether the change names the facet as one that changed. */
  private boolean facet(Fold fold, int place, Change change) {
    var said = facets.get(place).changeIn(change.value());
    if (said == null) {
      missing(fold, place, change);
      return false;
    }
    return said instanceof RankingOrderChange order
        ? new OrderLaw(report, change).fold(fold, place, order)
        : value(fold, place, change, said);
  }

  private void missing(Fold fold, int place, Change change) {
    if (!change.isFrame()) {
      return;
    }
    if (fold.whole() && fold.print(place) != Fingerprint.NULL) {
      report.addRead(Law.FRAMES, change.row().place(), name(place), said(fold, place), () -> "nothing of it");
    }
    fold.say(place, Fingerprint.NULL, change.row().offset());
  }

  private boolean value(Fold fold, int place, Change change, IndexedRecord said) {
    var before = Fields.part(said, "before");
    var after = Fields.part(said, "after");
    var print = Fingerprint.of(after);
    var changed = print != Fingerprint.of(before);
    if (fold.knows(place) && fold.print(place) != Fingerprint.of(before)) {
      report.addRead(Law.BEFORE, change.row().place(), name(place) + ".before", said(fold, place), () -> before);
    }
    if (!changed && !change.isFrame()) {
      report.add(Law.NEWS, change.row().place(), name(place), "a difference", after);
    }
    FigureLaw.check(report, change, name(place), said);
    seen(change, place, said, before != null);
    fold.say(place, print, change.row().offset());
    return changed;
  }

  private void seen(Change change, int place, IndexedRecord said, boolean before) {
    var seen = (Instant) Fields.get(said, "before_observed_at");
    if (seen == null ? before : seen.isAfter(change.origin().getObservedAt())) {
      report.add(Law.BEFORE, change.row().place(), name(place) + ".before_observed_at",
          "a time not after " + change.origin().getObservedAt(), seen);
    }
  }

  /** What was said last of a facet, read again. */
  Supplier<@Nullable Object> said(Fold fold, int place) {
    var offset = fold.saidAt(place);
    return () -> {
      var change = reading.value(span.topic(), span.partition(), offset);
      var said = change == null ? null : facets.get(place).changeIn(change);
      return facets.get(place).ordered() ? fold.order : said == null ? null : Fields.part(said, "after");
    };
  }

  private String name(int place) {
    return facets.get(place).name();
  }

  private void same(Law law, Change change, String where, Object expected, Object found) {
    if (!expected.equals(found)) {
      report.add(law, change.row().place(), where, expected, found);
    }
  }
}
