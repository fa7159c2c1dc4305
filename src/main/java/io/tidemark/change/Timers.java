package io.tidemark.change;

import io.tidemark.event.Left;
import io.tidemark.event.Origin;
import io.tidemark.event.ResourceMemory;
import io.tidemark.event.Sight;
import io.tidemark.event.TargetState;
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
record Timers(Emission emission, Duration forgetAfter, Instant startedAt) {
  /** A day of a coin is over when it is seen; a ranking is its target. */
  private static final Set<Kind> ALWAYS_IN_SIGHT = Set.of(Kind.COIN_DAY, Kind.RANKING);

  /** When something is due; null where nothing is as long as the resource stays in sight. */
  @Nullable
  Instant next(Draft draft, States states, Instant now) {
    Instant flush = emission.dueNext(draft);
    Instant fading = fading(draft, states, now);
    return Stream.of(flush, fading).filter(Objects::nonNull).min(Instant::compareTo).orElse(null);
  }

  private @Nullable Instant fading(Draft draft, States states, Instant now) {
    ResourceMemory memory = draft.memory.values();
    if (ALWAYS_IN_SIGHT.contains(draft.kind)) {
      return null;
    }
    if (!memory.getInSight() || memory.getLeft() != null) {
      return lastSeen(draft, states).plus(forgetAfter);
    }
    if (Sightings.inSight(states, memory, draft.key, now)) {
      return null;
    }
    Instant fading = Sightings.outOfSight(states, memory, lastSeen(draft, states));
    Instant earliest = startedAt.plus(Sightings.LEAST);
    return fading.isBefore(earliest) ? earliest : fading;
  }

  private static Instant lastSeen(Draft draft, States states) {
    Instant stated = StateRecord.observedAt(Objects.requireNonNull(draft.state));
    return Sightings.lastSeen(states, draft.memory.values(), draft.key, stated);
  }

  /** What is due now; null where nothing is. */
  @Nullable
  Entry expire(Draft draft, States states, Instant now) {
    Names names = new Drafts(states);
    Instant fading = fading(draft, states, now);
    if (fading != null && !fading.isAfter(now)) {
      return fade(draft, states, names, now);
    }
    Instant flush = emission.dueNext(draft);
    Origin held = draft.memory.values().getHeld();
    return flush == null || flush.isAfter(now) || held == null ? null : emission.now(draft, held, names, now);
  }

  private Entry fade(Draft draft, States states, Names names, Instant now) {
    ResourceMemory memory = draft.memory.values();
    Instant lastSeen = lastSeen(draft, states);
    boolean forget = !memory.getInSight() || memory.getLeft() != null;
    if (forget) {
      draft.left = new Left("forgotten");
    } else {
      draft.sight = new Sight(false, lastSeen);
      memory.setInSight(false);
      memory.setLastSeenAt(lastSeen);
    }
    Entry entry = emission.now(draft, origin(draft, states, lastSeen, now), names, now);
    return forget ? new Entry(entry.resource(), entry.key(), entry.change(), null) : entry;
  }

  /** The target that showed it last, as far as is known. */
  private static Origin origin(Draft draft, States states, Instant lastSeen, Instant now) {
    TargetState last =
        draft.memory.values().getTargets().stream()
            .map(states::target)
            .filter(Objects::nonNull)
            .reduce((one, other) -> other.getObservedAt().isAfter(one.getObservedAt()) ? other : one)
            .orElseGet(TargetState::new);
    return Origin.newBuilder()
        .setSource(Objects.requireNonNullElse(last.getSource(), ""))
        .setOperation(Objects.requireNonNullElse(last.getOperation(), ""))
        .setTarget(Objects.requireNonNullElse(last.getTarget(), ""))
        .setSweep(last.getSweep())
        .setObservedAt(now)
        .setPreviousObservedAt(lastSeen)
        .build();
  }
}
