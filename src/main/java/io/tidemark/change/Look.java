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
record Look(Target target, @Nullable TargetState before, Instant observedAt, Instant watchingSince, States states) {
  long sweep() {
    return before == null ? 1 : before.getSweep() + 1;
  }

  /** Pages that an earlier look showed, from the first. */
  int seenPages() {
    if (before == null) {
      return 0;
    }
    return before.getSeenPages() == null ? target.pages() : before.getSeenPages();
  }

  /** Whether no earlier look showed that page. */
  boolean first(int page) {
    return page > seenPages();
  }

  /** Whether the list ended with the pages that were seen last: what they lacked was not there. */
  boolean ended() {
    return before != null && before.getEnded();
  }

  /** When the target was last seen before this look; null where it never was. */
  @Nullable
  Instant seenBefore() {
    return before == null || seenPages() == 0 ? null : before.getObservedAt();
  }

  Origin origin(@Nullable Instant asOf, boolean baseline) {
    return Origin.newBuilder()
        .setSource(target.source())
        .setOperation(target.query().operation().wire())
        .setTarget(target.name())
        .setSweep(sweep())
        .setBaseline(baseline)
        .setObservedAt(observedAt)
        .setPreviousObservedAt(seenBefore())
        .setAsOf(asOf)
        .build();
  }

  /** When a target that shows the resource was last seen, however long ago; null where it does not show it. */
  @Nullable
  Instant lastShown(String target, String key) {
    return Sightings.lastShown(states, target, key);
  }

  /** The newest look at a target that still shows the resource; null where there is none. */
  @Nullable
  TargetState stillShowing(String target, String key) {
    return Sightings.showing(states, target, key, observedAt);
  }
}
