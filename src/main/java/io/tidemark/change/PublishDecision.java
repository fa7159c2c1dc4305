package io.tidemark.change;

import io.tidemark.event.FacetView;
import io.tidemark.event.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides what of a draft is published now, and what is withheld.
 *
 * @param half half of the retention of changes: a resource's first change in each is a key frame
 */
record PublishDecision(PublishSettings settings, Duration half) {

  /** What a draft comes to; null where there is nothing to write. */
  @Nullable
  ResourceUpdate decide(ResourceDraft draft, Origin origin, ResourceDrafts drafts) {
    var differing = draft.differing();
    var now = origin.getObservedAt();
    if (draft.isNew() || draft.hasNews() || differing.stream().anyMatch(facet -> isDue(draft, facet, now))) {
      return publish(draft, differing, origin, drafts, now);
    }
    draft.withhold(differing, origin);
    return draft.isTouched()
        ? new ResourceUpdate(draft.kind().resource(), draft.key(), null, draft.state(draft.revision(), now))
        : null;
  }

  /** Publishes all that differs, due or not. */
  ResourceUpdate publish(ResourceDraft draft, Origin origin, ResourceDrafts drafts, Instant now) {
    return publish(draft, draft.differing(), origin, drafts, now);
  }

  private ResourceUpdate publish(
      ResourceDraft draft, List<FacetView> differing, Origin origin, ResourceDrafts drafts, Instant now) {
    var keyFrame = Instant.ofEpochMilli(Math.floorDiv(now.toEpochMilli(), half.toMillis()) * half.toMillis());
    var revision = draft.revision() + 1;
    var ofChange =
        Origin.newBuilder(origin)
            .setBaseline(origin.getBaseline() && isBaseline(draft, differing))
            .setKeyFrame(!keyFrame.equals(draft.memory().values().getKeyFrame()))
            .build();
    var change = new ChangeBuilder(draft, drafts).build(differing, ofChange, revision, now);
    draft.publish(differing, now, keyFrame);
    return new ResourceUpdate(draft.kind().resource(), draft.key(), change, draft.state(revision, now));
  }

  /**
   * Whether a change from a target's first snapshot is baseline: it shows a new resource, or more of a known one, and
   * alters nothing. A ranking is of its target alone.
   */
  private static boolean isBaseline(ResourceDraft draft, List<FacetView> differing) {
    return draft.isNew()
        || draft.kind() == ResourceKind.RANKING
        || (!draft.hasNews() && differing.stream().allMatch(facet -> addsOnly(draft, facet)));
  }

  private static boolean addsOnly(ResourceDraft draft, FacetView facet) {
    var published = draft.published(facet);
    var known = facet.valueIn(draft.known());
    return published == null || (known != null && FacetObservation.holds(facet, published, known));
  }

  private boolean isDue(ResourceDraft draft, FacetView facet, Instant now) {
    var dueAt = dueAt(draft, facet);
    return dueAt != null && (!dueAt.isAfter(now) || isClockSetBack(draft, facet, now));
  }

  /** Whether the facet was last published at a time after now. */
  private static boolean isClockSetBack(ResourceDraft draft, FacetView facet, Instant now) {
    var publishedAt = draft.memory().publishedAt(facet.name());
    return publishedAt != null && publishedAt.isAfter(now);
  }

  private @Nullable Instant dueAt(ResourceDraft draft, FacetView facet) {
    return settings.dueAt(
        draft.kind().resource(),
        facet,
        draft.published(facet),
        facet.valueIn(draft.known()),
        draft.memory().publishedAt(facet.name()));
  }

  /** When the first of the withheld facets is due; null where none comes by itself. */
  @Nullable
  Instant nextDueAt(ResourceDraft draft) {
    return draft.kind().facets().stream()
        .filter(draft::isWithheld)
        .map(facet -> dueAt(draft, facet))
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }
}
