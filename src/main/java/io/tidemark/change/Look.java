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

  /** Whether the target was never looked at before. */
  boolean first() {
    return before == null;
  }

  Origin origin(@Nullable Instant asOf, boolean baseline) {
    return Origin.newBuilder()
        .setSource(target.source())
        .setOperation(target.query().operation().wire())
        .setTarget(target.name())
        .setSweep(sweep())
        .setBaseline(baseline)
        .setObservedAt(observedAt)
        .setPreviousObservedAt(before == null ? null : before.getObservedAt())
        .setAsOf(asOf)
        .build();
  }

  /** The newest look at a target that still shows the resource; null where there is none. */
  @Nullable TargetState stillShowing(String target, String key) {
    return Sightings.showing(states, target, key, observedAt);
  }
}
