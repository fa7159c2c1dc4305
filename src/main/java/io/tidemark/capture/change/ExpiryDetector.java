package io.tidemark.capture.change;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.Origin;
import io.tidemark.event.TargetState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects the changes of a resource that the passing of time alone causes: withheld values become due, the resource
 * stops being visible, or it is evicted.
 *
 * @param startedAt when this session of the source began to poll; a resource that could not be polled before then stays
 *     visible for at least {@link ResourceVisibility#SHORTEST} after it
 */
record ExpiryDetector(PublishDecision decision, Duration evictAfter, Instant startedAt) {

  /** Pause before a ranking or a coin's day is checked again, if its target is kept for longer than planned. */
  private static final Duration PAUSE = Duration.ofDays(1);
  /** Pause between the deadline of a target and the deadlines of the resources that it shows, in either order. */
  private static final Duration BEHIND_TARGET = Duration.ofSeconds(2);

  /** Returns when something is due, or null if nothing is due while a target shows the resource. */
  @Nullable
  Instant nextDeadline(ResourceDraft draft, ResourceVisibility visibility) {
    return Stream.of(decision.nextDueAt(draft), expiresAt(draft, visibility))
        .filter(Objects::nonNull)
        .min(Instant::compareTo)
        .orElse(null);
  }

  /** Returns the update that is due now, or null if none is due. */
  @Nullable
  ResourceUpdate onDeadline(ResourceDraft draft, ResourceVisibility visibility) {
    var now = visibility.now();
    var drafts = new ResourceDrafts(visibility.states());
    var expiresAt = expiresAt(draft, visibility);
    if (expiresAt != null && !expiresAt.isAfter(now)) {
      return expire(draft, visibility, drafts);
    }
    var dueAt = decision.nextDueAt(draft);
    var origin = draft.memory().values().getWithheld();
    return dueAt == null || dueAt.isAfter(now) || origin == null ? null : decision.publish(draft, origin, drafts, now);
  }

  /** Returns when the resource stops being visible or, if it already did, is evicted; null while a target shows it. */
  private @Nullable Instant expiresAt(ResourceDraft draft, ResourceVisibility visibility) {
    if (draft.kind().isAlwaysVisible()) {
      return nextCheckAt(draft, visibility);
    }
    if (!draft.memory().isVisible()) {
      return lastObservedAt(draft, visibility).plus(evictAfter);
    }
    if (visibility.isShown(draft.memory(), draft.key())) {
      return null;
    }
    var notVisibleAt = visibility.notVisibleAt(draft.memory(), draft.key(), lastObservedAt(draft, visibility));
    var earliest = startedAt.plus(ResourceVisibility.SHORTEST);
    return notVisibleAt.isBefore(earliest) ? earliest : notVisibleAt;
  }

  /**
   * Returns when a ranking or a coin's day is evicted or checked again. It stays as long as one of its targets is
   * known.
   */
  private Instant nextCheckAt(ResourceDraft draft, ResourceVisibility visibility) {
    var targets = draft.memory().targets();
    var known = targets.stream().map(visibility.states()::targetState).filter(Objects::nonNull).toList();
    if (known.isEmpty() && !targets.isEmpty()) {
      return lastObservedAt(draft, visibility).plus(evictAfter);
    }
    var last = known.stream().map(this::forgottenAt).max(Instant::compareTo).map(at -> at.plus(BEHIND_TARGET));
    return last.filter(visibility.now()::isBefore).orElseGet(() -> visibility.now().plus(PAUSE));
  }

  /**
   * Returns when a target is forgotten. That is not before all resources it shows are known not to be visible, since
   * they are found through the target.
   */
  Instant forgottenAt(TargetState target) {
    var attemptedAt = target.getAttemptedAt();
    var last =
        attemptedAt != null && attemptedAt.isAfter(target.getObservedAt()) ? attemptedAt : target.getObservedAt();
    var hidden = Stream.of(ResourceVisibility.staleAt(target), startedAt.plus(ResourceVisibility.SHORTEST))
        .max(Instant::compareTo).orElseThrow().plus(BEHIND_TARGET);
    return hidden.isAfter(last.plus(evictAfter)) ? hidden : last.plus(evictAfter);
  }

  private static Instant lastObservedAt(ResourceDraft draft, ResourceVisibility visibility) {
    return visibility.lastObservedAt(draft.memory(), draft.key(), draft.stateObservedAt());
  }

  private ResourceUpdate expire(ResourceDraft draft, ResourceVisibility visibility, ResourceDrafts drafts) {
    var lastObservedAt = lastObservedAt(draft, visibility);
    var origin = origin(draft, visibility, lastObservedAt);
    if (draft.memory().isVisible() && !draft.kind().isAlwaysVisible()) {
      draft.becomeNotVisible(lastObservedAt);
      return decision.publish(draft, origin, drafts, visibility.now());
    }
    draft.evict();
    var last = decision.publish(draft, origin, drafts, visibility.now());
    return new ResourceUpdate(last.resource(), last.key(), last.change(), null);
  }

  /** Returns an origin that names the target that last showed the resource, as far as it is known. */
  private static Origin origin(ResourceDraft draft, ResourceVisibility visibility, Instant lastObservedAt) {
    var last = draft.memory().targets().stream()
        .map(visibility.states()::targetState)
        .filter(Objects::nonNull)
        .reduce((one, other) -> other.getObservedAt().isAfter(one.getObservedAt()) ? other : one)
        .orElseGet(TargetState::new);
    return Origin.newBuilder()
        .setSource(Objects.requireNonNullElse(last.getSource(), ""))
        .setOperation(Objects.requireNonNullElse(last.getOperation(), ""))
        .setTarget(Objects.requireNonNullElse(last.getTarget(), "")).setSnapshot(last.getSnapshot())
        .setObservedAt(visibility.now()).setPreviousObservedAt(lastObservedAt).build();
  }
}
