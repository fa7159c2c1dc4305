package io.tidemark.change;

import io.tidemark.event.Origin;
import io.tidemark.event.Removed;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.TargetState;
import io.tidemark.event.Visibility;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a resource by the passing of time alone: held values are due, it goes out of sight, is forgotten.
 *
 * @param startedAt since when this life of the source looks: what nobody looked at before is not out of sight at once
 */
record ExpiryDetector(PublishDecision emission, Duration forgetAfter, Instant startedAt) {
  /** A day of a coin is over when it is seen; a ranking is its target. */
  private static final Set<ResourceKind> ALWAYS_IN_SIGHT = Set.of(ResourceKind.COIN_DAY, ResourceKind.RANKING);

  /** When something is due; null where nothing is as long as the resource stays in sight. */
  @Nullable
  Instant next(ResourceDraft draft, KnownStates states, Instant now) {
    Instant flush = emission.dueNext(draft);
    Instant fading = fading(draft, states, now);
    return Stream.of(flush, fading).filter(Objects::nonNull).min(Instant::compareTo).orElse(null);
  }

  private @Nullable Instant fading(ResourceDraft draft, KnownStates states, Instant now) {
    ResourceMemory memory = draft.memory.values();
    if (ALWAYS_IN_SIGHT.contains(draft.kind)) {
      return null;
    }
    if (!memory.getVisible() || memory.getRemoved() != null) {
      return lastObserved(draft, states).plus(forgetAfter);
    }
    if (ResourceVisibility.inSight(states, memory, draft.key, now)) {
      return null;
    }
    Instant fading = ResourceVisibility.outOfSight(states, memory, lastObserved(draft, states));
    Instant earliest = startedAt.plus(ResourceVisibility.LEAST);
    return fading.isBefore(earliest) ? earliest : fading;
  }

  private static Instant lastObserved(ResourceDraft draft, KnownStates states) {
    Instant stated = StateFields.observedAt(Objects.requireNonNull(draft.state));
    return ResourceVisibility.lastObserved(states, draft.memory.values(), draft.key, stated);
  }

  /** What is due now; null where nothing is. */
  @Nullable
  ResourceUpdate expire(ResourceDraft draft, KnownStates states, Instant now) {
    KnownResources names = new ResourceDrafts(states);
    Instant fading = fading(draft, states, now);
    if (fading != null && !fading.isAfter(now)) {
      return fade(draft, states, names, now);
    }
    Instant flush = emission.dueNext(draft);
    Origin held = draft.memory.values().getWithheld();
    return flush == null || flush.isAfter(now) || held == null ? null : emission.now(draft, held, names, now);
  }

  private ResourceUpdate fade(ResourceDraft draft, KnownStates states, KnownResources names, Instant now) {
    ResourceMemory memory = draft.memory.values();
    Instant lastObserved = lastObserved(draft, states);
    boolean forget = !memory.getVisible() || memory.getRemoved() != null;
    if (forget) {
      draft.removed = new Removed("evicted");
    } else {
      draft.visibility = new Visibility(false, lastObserved);
      memory.setVisible(false);
      memory.setLastObservedAt(lastObserved);
    }
    ResourceUpdate entry = emission.now(draft, origin(draft, states, lastObserved, now), names, now);
    return forget ? new ResourceUpdate(entry.resource(), entry.key(), entry.change(), null) : entry;
  }

  /** The target that showed it last, as far as is known. */
  private static Origin origin(ResourceDraft draft, KnownStates states, Instant lastObserved, Instant now) {
    TargetState last =
        draft.memory.values().getTargets().stream()
            .map(states::targetState)
            .filter(Objects::nonNull)
            .reduce((one, other) -> other.getObservedAt().isAfter(one.getObservedAt()) ? other : one)
            .orElseGet(TargetState::new);
    return Origin.newBuilder()
        .setSource(Objects.requireNonNullElse(last.getSource(), ""))
        .setOperation(Objects.requireNonNullElse(last.getOperation(), ""))
        .setTarget(Objects.requireNonNullElse(last.getTarget(), ""))
        .setSnapshot(last.getSnapshot())
        .setObservedAt(now)
        .setPreviousObservedAt(lastObserved)
        .build();
  }
}
