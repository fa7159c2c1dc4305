package io.tidemark.change;

import io.tidemark.event.Origin;
import io.tidemark.event.TargetState;
import io.tidemark.market.Target;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The look a change comes from.
 *
 * @param before the look at the same target before it; null at the first
 * @param watchingSince when watching of the source began
 */
record SnapshotContext(Target target, @Nullable TargetState before, Instant observedAt, Instant watchingSince,
    KnownStates states) {
  long snapshot() {
    return before == null ? 1 : before.getSnapshot() + 1;
  }

  /** Pages that an earlier look showed, from the first. */
  int observedPages() {
    if (before == null) {
      return 0;
    }
    return before.getObservedPages() == null ? target.pages() : before.getObservedPages();
  }

  /** Whether no earlier look showed that page. */
  boolean first(int page) {
    return page > observedPages();
  }

  /** Whether the list ended with the pages that were seen last: what they lacked was not there. */
  boolean ended() {
    return before != null && before.getExhausted();
  }

  /** When the target was last seen before this look; null where it never was. */
  @Nullable
  Instant observedBefore() {
    return before == null || observedPages() == 0 ? null : before.getObservedAt();
  }

  Origin origin(@Nullable Instant asOf, boolean baseline) {
    return Origin.newBuilder()
        .setSource(target.source())
        .setOperation(target.query().operation().wire())
        .setTarget(target.name())
        .setSnapshot(snapshot())
        .setBaseline(baseline)
        .setObservedAt(observedAt)
        .setPreviousObservedAt(observedBefore())
        .setAsOf(asOf)
        .build();
  }

  /** When a target that shows the resource was last seen, however long ago; null where it does not show it. */
  @Nullable
  Instant lastShown(String target, String key) {
    return ResourceVisibility.lastShown(states, target, key);
  }

  /** The newest look at a target that still shows the resource; null where there is none. */
  @Nullable
  TargetState stillShowing(String target, String key) {
    return ResourceVisibility.showing(states, target, key, observedAt);
  }
}
