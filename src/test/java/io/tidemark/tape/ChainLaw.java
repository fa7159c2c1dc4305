package io.tidemark.tape;

import io.tidemark.tape.Change.FacetChange;
import io.tidemark.tape.Observation.Ref;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The changes of each resource follow from one another: revisions without gaps, each facet going on from where it was
 * left, and nothing said that did not change. What is folded so is kept for the states.
 */
final class ChainLaw {
  private static final String LAW = "changes follow from one another";

  /** Parts of a change that the header names too: they are news by being there. */
  private static final List<String> NEWS = List.of("appeared", "sight", "left");

  private final Consumer<Complaint> complaints;
  private final long half;
  private final Map<Ref, Folded> folded = new HashMap<>();

  ChainLaw(Duration retention, Consumer<Complaint> complaints) {
    this.half = retention.dividedBy(2).toMillis();
    this.complaints = complaints;
  }

  /**
   * The fold of a resource's changes.
   *
   * @param list order of a ranking
   */
  record Folded(Change newest, Map<String, Map<String, Object>> facets, List<String> list) {}

  Map<Ref, Folded> folded() {
    return folded;
  }

  void take(Change change) {
    Folded before = folded.get(change.ref());
    numbered(change, before);
    framed(change, before);
    Map<String, Map<String, Object>> known = before == null ? Map.of() : before.facets;
    var after = new TreeMap<>(known);
    var changed = new TreeSet<String>();
    change.facets().forEach((name, facet) -> {
      facet(change, name, facet, known.getOrDefault(name, Map.of()));
      after.put(name, facet.after());
      if (!facet.before().equals(facet.after())) {
        changed.add(name);
      }
    });
    List<String> list = before == null ? List.of() : before.list;
    List<String> listed = Ranks.after(change, list);
    if (!listed.equals(list) || (before == null && change.part(Ranks.ORDER) != null)) {
      changed.add(Ranks.ORDER);
    }
    NEWS.stream().filter(part -> change.part(part) != null).forEach(changed::add);
    same(change, "header facets", changed, change.named());
    folded.put(change.ref(), new Folded(change, after, listed));
  }

  private void numbered(Change change, @Nullable Folded before) {
    boolean begins = before == null || !before.newest.life().equals(change.life());
    same(change, "revision", begins ? 1L : before.newest.revision() + 1, change.revision());
    if (begins) {
      same(change, "life (first seen)", change.origin().getObservedAt(), change.life());
    } else {
      same(change, "partition", before.newest.entry().partition(), change.entry().partition());
    }
    long life = ((Instant) change.life()).toEpochMilli();
    same(change, "header id",
        change.entry().topic() + "/" + change.key() + "/" + life + "/" + change.revision(),
        change.entry().headers().get("id"));
  }

  private void framed(Change change, @Nullable Folded before) {
    boolean first = before == null || half(before.newest) != half(change);
    same(change, "frame", first, change.origin().getFrame());
    if (first && before != null) {
      var missing = new TreeSet<>(before.facets.keySet());
      missing.removeIf(name -> before.facets.getOrDefault(name, Map.of()).isEmpty());
      missing.removeAll(change.facets().keySet());
      same(change, "facets missing from the frame", new TreeSet<String>(), missing);
    }
  }

  private long half(Change change) {
    return Math.floorDiv(change.origin().getObservedAt().toEpochMilli(), half);
  }

  private void facet(Change change, String name, FacetChange facet, Map<String, Object> known) {
    same(change, name + ".before", known, facet.before());
    if (facet.before().equals(facet.after()) && !change.origin().getFrame()) {
      complaints.accept(change.complaint(LAW, name, "a difference", facet.after()));
    }
    Instant seen = Facts.time(facet.record(), "before_observed_at");
    if (facet.before().isEmpty() ? seen != null && known.isEmpty() : seen == null) {
      complaints.accept(change.complaint(LAW, name + ".before_observed_at", "a time where before is", seen));
    } else if (seen != null && seen.isAfter(change.origin().getObservedAt())) {
      complaints.accept(
          change.complaint(LAW, name + ".before_observed_at", "not after " + change.origin().getObservedAt(), seen));
    }
    derived(change, name, facet);
  }

  private void derived(Change change, String name, FacetChange facet) {
    String main = Derived.MOVES.get(change.resource() + "." + name);
    if (main != null) {
      close(change, name + ".move_percent",
          Derived.movePercent(facet.before().get(main), facet.after().get(main)),
          Facts.get(facet.record(), "move_percent"));
    }
    if (change.resource().equals("holding") && name.equals("position")) {
      close(change, name + ".amount_change",
          Derived.difference(facet.before().get("amount"), facet.after().get("amount")),
          Facts.get(facet.record(), "amount_change"));
    }
  }

  private void close(Change change, String where, @Nullable Double expected, @Nullable Object found) {
    boolean near = expected != null && found instanceof Double number
        && Math.abs(expected - number) <= 1e-9 * Math.max(1, Math.abs(expected));
    if (!near && !Objects.equals(expected, found)) {
      complaints.accept(change.complaint(LAW, where, expected, found));
    }
  }

  private void same(Change change, String where, Object expected, @Nullable Object found) {
    if (!expected.equals(found)) {
      complaints.accept(change.complaint(LAW, where, expected, found));
    }
  }
}
