package io.tidemark.change;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.FigureMath;
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
record PublishDecision(PublishSettings worth, Duration half) {

  /** The entry that a draft comes to; null where there is nothing to write. */
  @Nullable
  ResourceUpdate of(ResourceDraft draft, Origin origin, KnownResources names) {
    List<FacetRow> differing = differing(draft);
    Instant now = origin.getObservedAt();
    boolean emits = draft.isNew() || draft.appeared != null || draft.removed != null || draft.visibility != null;
    if (emits || differing.stream().anyMatch(facet -> due(draft, facet, now))) {
      return emitted(draft, differing, origin, names, now);
    }
    hold(draft, differing, origin);
    return draft.touched
        ? new ResourceUpdate(draft.kind.name(), draft.key, null, state(draft, draft.revision(), now))
        : null;
  }

  /** The entry of all that is to say of a draft now, whatever it is worth. */
  ResourceUpdate now(ResourceDraft draft, Origin origin, KnownResources names, Instant now) {
    return emitted(draft, differing(draft), origin, names, now);
  }

  private static List<FacetRow> differing(ResourceDraft draft) {
    return draft.kind.facets().stream().filter(draft::differs).toList();
  }

  private boolean due(ResourceDraft draft, FacetRow facet, Instant now) {
    Instant due = dueAt(draft, facet);
    return due != null && (!due.isAfter(now) || wasSetBack(draft, facet, now));
  }

  /** Whether our clock was ahead of now when the facet was emitted last. */
  private static boolean wasSetBack(ResourceDraft draft, FacetRow facet, Instant now) {
    FacetMemory memory = draft.memory.facet(facet.name());
    return memory != null && memory.getPublishedAt() != null && memory.getPublishedAt().isAfter(now);
  }

  /** When a facet that differs is due; null where it only travels along. */
  @Nullable
  Instant dueAt(ResourceDraft draft, FacetRow facet) {
    FacetMemory memory = draft.memory.facet(facet.name());
    Instant emittedAt = memory == null ? null : memory.getPublishedAt();
    return worth.due(draft.kind, facet, draft.published(facet), facet.in(draft.known), emittedAt);
  }

  private static void hold(ResourceDraft draft, List<FacetRow> differing, Origin origin) {
    draft.withheld.keySet().removeIf(name -> differing.stream().noneMatch(facet -> facet.name().equals(name)));
    for (FacetRow facet : differing) {
      if (!draft.withheld.containsKey(facet.name())) {
        FacetMemory memory = Objects.requireNonNull(draft.memory.facet(facet.name()));
        memory.setPublishedObservedAt(draft.lastObserved.get(facet.name()));
        draft.withheld.put(facet.name(), draft.published(facet));
      }
      if (draft.lastObserved.containsKey(facet.name())) {
        draft.suppressed.add(facet.name());
      }
    }
    draft.memory.values().setWithheld(draft.withheld.isEmpty() ? null : origin);
  }

  private ResourceUpdate emitted(ResourceDraft draft, List<FacetRow> differing, Origin origin, KnownResources names,
      Instant now) {
    Instant frame = frameOf(now);
    boolean framed = !frame.equals(draft.memory.values().getKeyFrame());
    long revision = draft.revision() + 1;
    SpecificRecord change = blankChange(draft, revision, now);
    boolean baseline = origin.getBaseline() && tellsNoNews(draft, differing);
    StateFields.put(change, "origin", Origin.newBuilder(origin).setBaseline(baseline).setKeyFrame(framed).build());
    for (FacetRow facet : draft.kind.facets()) {
      if (differing.contains(facet) || (framed && facet.in(draft.known) != null)) {
        change.put(facet.changePlace(), facetChange(draft, facet, framed, names, origin.getObservedAt()));
      }
    }
    settle(draft, differing, now, frame);
    StateFields.put(change, "about", AboutCopy.of(draft.kind, draft.known, draft.firstObservedAt(now), names));
    return new ResourceUpdate(draft.kind.name(), draft.key, change, state(draft, revision, now));
  }

  /**
   * Of a target's first look: a resource at first sight, or more of one that is known, and nothing of it altered. A
   * ranking is of its target alone.
   */
  private static boolean tellsNoNews(ResourceDraft draft, List<FacetRow> differing) {
    return draft.isNew()
        || draft.kind == ResourceKind.RANKING
        || (draft.appeared == null
            && draft.visibility == null
            && draft.removed == null
            && differing.stream().allMatch(facet -> adds(draft.published(facet), facet.in(draft.known))));
  }

  /** Whether all that was said before holds still. */
  private static boolean adds(@Nullable IndexedRecord said, @Nullable IndexedRecord known) {
    return said == null || (known != null && new FacetObservation(said, Set.of()).over(known).equals(known));
  }

  private static void settle(ResourceDraft draft, List<FacetRow> differing, Instant now, Instant frame) {
    differing.forEach(facet -> mark(draft.memory.facet(facet.name()), now));
    draft.withheld.clear();
    draft.memory.values().setWithheld(null);
    draft.memory.values().setKeyFrame(frame);
  }

  private static void mark(@Nullable FacetMemory memory, Instant now) {
    if (memory != null) {
      memory.setPublishedAt(now);
      memory.setPublishedObservedAt(null);
    }
  }

  private Instant frameOf(Instant now) {
    return Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), half.toMillis()) * half.toMillis());
  }

  private static SpecificRecord blankChange(ResourceDraft draft, long revision, Instant now) {
    IndexedRecord change = FacetRow.blank(draft.kind.change());
    for (Schema.Field field : draft.known.getSchema().getFields()) {
      if (ResourceKind.nonNull(field.schema()).getType() != Schema.Type.RECORD) {
        StateFields.put(change, field.name(), draft.known.get(field.pos()));
      }
    }
    StateFields.put(change, "generation", draft.generation(now));
    StateFields.put(change, "revision", revision);
    StateFields.put(change, "appeared", draft.appeared);
    StateFields.put(change, "visibility", draft.visibility);
    StateFields.put(change, "removed", draft.removed);
    return (SpecificRecord) change;
  }

  private static IndexedRecord facetChange(
      ResourceDraft draft, FacetRow facet, boolean framed, KnownResources names, Instant observedAt) {
    IndexedRecord before = draft.published(facet);
    Instant observed = before(lastObserved(draft, facet), observedAt);
    IndexedRecord after = facet.in(draft.known);
    if (facet.list()) {
      return ListDiff.of(
          (RankingOrder) before,
          (RankingOrder) Objects.requireNonNull(after),
          pool -> AboutCopy.ofPool(pool, names),
          draft.contiguous,
          framed,
          observed);
    }
    IndexedRecord change = FacetRow.blank(facet.changeSchema());
    StateFields.put(change, "before", before);
    StateFields.put(change, "after", after);
    StateFields.put(change, "before_observed_at", before == null ? null : observed);
    for (Schema.Field field : change.getSchema().getFields()) {
      derive(change, field, before, after);
    }
    return change;
  }

  /** Nothing was seen after what is seen now, whatever clocks said. */
  private static @Nullable Instant before(@Nullable Instant observed, Instant now) {
    return observed != null && observed.isAfter(now) ? now : observed;
  }

  private static void derive(
      IndexedRecord change, Schema.Field field, @Nullable IndexedRecord before, @Nullable IndexedRecord after) {
    String move = field.getProp("move");
    String difference = field.getProp("difference");
    if (move != null) {
      change.put(field.pos(), FigureMath.percentChange(AvroRecords.at(before, move), AvroRecords.at(after, move)));
    } else if (difference != null) {
      change.put(field.pos(),
          FigureMath.difference(AvroRecords.at(before, difference), AvroRecords.at(after, difference)));
    }
  }

  /** When the value last emitted was last seen. */
  static @Nullable Instant lastObserved(ResourceDraft draft, FacetRow facet) {
    FacetMemory memory = draft.memory.facet(facet.name());
    if (memory != null && memory.getPublishedObservedAt() != null) {
      return memory.getPublishedObservedAt();
    }
    Instant observed = draft.lastObserved.get(facet.name());
    return observed != null || memory == null ? observed : memory.getObservedAt();
  }

  private static SpecificRecord state(ResourceDraft draft, long revision, Instant now) {
    return StateFields.of(draft, draft.generation(now), revision, now);
  }

  /** What of a resource held back is due next; null where nothing is held that comes by itself. */
  @Nullable
  Instant dueNext(ResourceDraft draft) {
    return draft.kind.facets().stream()
        .filter(facet -> draft.withheld.containsKey(facet.name()))
        .map(facet -> dueAt(draft, facet))
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }
}
