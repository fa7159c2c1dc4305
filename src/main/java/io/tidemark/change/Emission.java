package io.tidemark.change;

import io.tidemark.event.FacetMemory;
import io.tidemark.event.Origin;
import io.tidemark.event.RankingOrder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * What of a draft becomes an event now, and what is held back.
 *
 * @param worth what is worth an event
 * @param half half of the retention of changes: a resource's first change in each carries all its facets
 */
record Emission(Worth worth, Duration half) {

  /** The entry that a draft comes to; null where there is nothing to write. */
  @Nullable
  Entry of(Draft draft, Origin origin, Names names) {
    List<Facet> differing = differing(draft);
    Instant now = origin.getObservedAt();
    boolean emits = draft.isNew() || draft.appeared != null || draft.left != null || draft.sight != null;
    if (emits || differing.stream().anyMatch(facet -> due(draft, facet, now))) {
      return emitted(draft, differing, origin, names, now);
    }
    hold(draft, differing, origin);
    return draft.touched
        ? new Entry(draft.kind.name(), draft.key, null, state(draft, draft.revision(), now))
        : null;
  }

  /** The entry of all that is to say of a draft now, whatever it is worth. */
  Entry now(Draft draft, Origin origin, Names names, Instant now) {
    return emitted(draft, differing(draft), origin, names, now);
  }

  private static List<Facet> differing(Draft draft) {
    return draft.kind.facets().stream().filter(draft::differs).toList();
  }

  private boolean due(Draft draft, Facet facet, Instant now) {
    Instant due = dueAt(draft, facet);
    return due != null && (!due.isAfter(now) || wasSetBack(draft, facet, now));
  }

  /** Whether our clock was ahead of now when the facet was emitted last. */
  private static boolean wasSetBack(Draft draft, Facet facet, Instant now) {
    FacetMemory memory = draft.memory.facet(facet.name());
    return memory != null && memory.getEmittedAt() != null && memory.getEmittedAt().isAfter(now);
  }

  /** When a facet that differs is due; null where it only travels along. */
  @Nullable
  Instant dueAt(Draft draft, Facet facet) {
    FacetMemory memory = draft.memory.facet(facet.name());
    Instant emittedAt = memory == null ? null : memory.getEmittedAt();
    return worth.due(draft.kind, facet, draft.emitted(facet), facet.in(draft.known), emittedAt);
  }

  private static void hold(Draft draft, List<Facet> differing, Origin origin) {
    draft.said.keySet().removeIf(name -> differing.stream().noneMatch(facet -> facet.name().equals(name)));
    for (Facet facet : differing) {
      if (!draft.said.containsKey(facet.name())) {
        FacetMemory memory = Objects.requireNonNull(draft.memory.facet(facet.name()));
        memory.setSaidObservedAt(draft.lastSeen.get(facet.name()));
        draft.said.put(facet.name(), draft.emitted(facet));
      }
      if (draft.lastSeen.containsKey(facet.name())) {
        draft.suppressed.add(facet.name());
      }
    }
    draft.memory.values().setHeld(draft.said.isEmpty() ? null : origin);
  }

  private Entry emitted(Draft draft, List<Facet> differing, Origin origin, Names names, Instant now) {
    Instant frame = frameOf(now);
    boolean framed = !frame.equals(draft.memory.values().getFrame());
    long revision = draft.revision() + 1;
    SpecificRecord change = blankChange(draft, revision, now);
    boolean baseline = origin.getBaseline() && tellsNoNews(draft, differing);
    StateRecord.put(change, "origin", Origin.newBuilder(origin).setBaseline(baseline).setFrame(framed).build());
    for (Facet facet : draft.kind.facets()) {
      if (differing.contains(facet) || (framed && facet.in(draft.known) != null)) {
        change.put(facet.changePlace(), facetChange(draft, facet, framed, names, origin.getObservedAt()));
      }
    }
    settle(draft, differing, now, frame);
    StateRecord.put(change, "about", About.of(draft.kind, draft.known, draft.firstSeenAt(now), names));
    return new Entry(draft.kind.name(), draft.key, change, state(draft, revision, now));
  }

  /**
   * Of a target's first look: a resource at first sight, or more of one that is known, and nothing of it altered. A
   * ranking is of its target alone.
   */
  private static boolean tellsNoNews(Draft draft, List<Facet> differing) {
    return draft.isNew()
        || draft.kind == Kind.RANKING
        || (draft.appeared == null
            && draft.sight == null
            && draft.left == null
            && differing.stream().allMatch(facet -> adds(draft.emitted(facet), facet.in(draft.known))));
  }

  /** Whether all that was said before holds still. */
  private static boolean adds(@Nullable IndexedRecord said, @Nullable IndexedRecord known) {
    return said == null || (known != null && new Observed(said, Set.of()).over(known).equals(known));
  }

  private static void settle(Draft draft, List<Facet> differing, Instant now, Instant frame) {
    differing.forEach(facet -> mark(draft.memory.facet(facet.name()), now));
    draft.said.clear();
    draft.memory.values().setHeld(null);
    draft.memory.values().setFrame(frame);
  }

  private static void mark(@Nullable FacetMemory memory, Instant now) {
    if (memory != null) {
      memory.setEmittedAt(now);
      memory.setSaidObservedAt(null);
    }
  }

  private Instant frameOf(Instant now) {
    return Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), half.toMillis()) * half.toMillis());
  }

  private static SpecificRecord blankChange(Draft draft, long revision, Instant now) {
    IndexedRecord change = Facet.blank(draft.kind.change());
    for (Schema.Field field : draft.known.getSchema().getFields()) {
      if (Kind.nonNull(field.schema()).getType() != Schema.Type.RECORD) {
        StateRecord.put(change, field.name(), draft.known.get(field.pos()));
      }
    }
    StateRecord.put(change, "life", draft.life(now));
    StateRecord.put(change, "revision", revision);
    StateRecord.put(change, "appeared", draft.appeared);
    StateRecord.put(change, "sight", draft.sight);
    StateRecord.put(change, "left", draft.left);
    return (SpecificRecord) change;
  }

  private static IndexedRecord facetChange(
      Draft draft, Facet facet, boolean framed, Names names, Instant observedAt) {
    IndexedRecord before = draft.emitted(facet);
    Instant seen = before(lastSeen(draft, facet), observedAt);
    IndexedRecord after = facet.in(draft.known);
    if (facet.list()) {
      return ListChange.of(
          (RankingOrder) before,
          (RankingOrder) Objects.requireNonNull(after),
          pool -> About.ofPool(pool, names),
          draft.reached,
          framed,
          seen);
    }
    IndexedRecord change = Facet.blank(facet.changeSchema());
    StateRecord.put(change, "before", before);
    StateRecord.put(change, "after", after);
    StateRecord.put(change, "before_observed_at", before == null ? null : seen);
    for (Schema.Field field : change.getSchema().getFields()) {
      derive(change, field, before, after);
    }
    return change;
  }

  /** Nothing was seen after what is seen now, whatever clocks said. */
  private static @Nullable Instant before(@Nullable Instant seen, Instant now) {
    return seen != null && seen.isAfter(now) ? now : seen;
  }

  private static void derive(
      IndexedRecord change, Schema.Field field, @Nullable IndexedRecord before, @Nullable IndexedRecord after) {
    String move = field.getProp("move");
    String difference = field.getProp("difference");
    if (move != null) {
      change.put(field.pos(), Figures.movePercent(Figures.at(before, move), Figures.at(after, move)));
    } else if (difference != null) {
      change.put(field.pos(), Figures.difference(Figures.at(before, difference), Figures.at(after, difference)));
    }
  }

  /** When the value last emitted was last seen. */
  static @Nullable Instant lastSeen(Draft draft, Facet facet) {
    FacetMemory memory = draft.memory.facet(facet.name());
    if (memory != null && memory.getSaidObservedAt() != null) {
      return memory.getSaidObservedAt();
    }
    Instant seen = draft.lastSeen.get(facet.name());
    return seen != null || memory == null ? seen : memory.getObservedAt();
  }

  private static SpecificRecord state(Draft draft, long revision, Instant now) {
    return StateRecord.of(draft, draft.life(now), revision, now);
  }

  /** What of a resource held back is due next; null where nothing is held that comes by itself. */
  @Nullable
  Instant dueNext(Draft draft) {
    return draft.kind.facets().stream()
        .filter(facet -> draft.said.containsKey(facet.name()))
        .map(facet -> dueAt(draft, facet))
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }
}
