package io.tidemark.capture.change;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.Origin;
import io.tidemark.event.TargetState;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Detects the changes of a resource that are caused by the passing of time alone: withheld values become due, the
 * resource stops being visible, or the resource is evicted.
 *
 * @param evictAfter time between the last observation of a resource and its eviction
 * @param startedAt time at which this session of the source began to poll. Every visible resource stays visible for at
 *     least {@link ResourceVisibility#SHORTEST} after this time, since the resource could not be polled before.
 * @param monthStart returns the start of the billing month of a time
 */
record ExpiryDetector(
    PublishDecision decision, Duration evictAfter, Instant startedAt, UnaryOperator<Instant> monthStart) {

  /** Time until the next check of a ranking or a coin's day if all its targets should already have been forgotten. */
  private static final Duration PAUSE = Duration.ofDays(1);
  /**
   * Margin between the time at which a target is forgotten and the deadlines of its resources. Resources that can stop
   * being visible do so at least this long before the target is forgotten. A ranking or a coin's day is checked this
   * long after the target is forgotten.
   */
  private static final Duration TARGET_MARGIN = Duration.ofSeconds(2);

  /**
   * Returns the time at which an update of the resource is next due or, for a ranking or a coin's day, may be due.
   * Returns null if no update will be due as long as a target shows the resource.
   */
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

  /**
   * Returns the time at which the resource stops being visible or, if it is not visible or is removed, is evicted.
   * For a ranking or a coin's day, returns the result of {@link #nextCheckAt}. Returns null as long as a target shows
   * the visible resource.
   */
  private @Nullable Instant expiresAt(ResourceDraft draft, ResourceVisibility visibility) {
    if (draft.kind().isAlwaysVisible()) {
      return nextCheckAt(draft, visibility);
    }
    if (!draft.memory().isVisible()) {
      return lastObservedAt(draft, visibility).plus(evictAfter);
    }
    if (visibility.isShown(draft.memory(), draft.kind(), draft.key())) {
      return null;
    }
    var notVisibleAt = visibility.notVisibleAt(draft.memory(), draft.key(), lastObservedAt(draft, visibility));
    var earliest = startedAt.plus(ResourceVisibility.SHORTEST);
    return notVisibleAt.isBefore(earliest) ? earliest : notVisibleAt;
  }

  /**
   * Returns the time at which a ranking or a coin's day is evicted or checked again. The resource is kept as long as
   * one of its targets is known.
   */
  private Instant nextCheckAt(ResourceDraft draft, ResourceVisibility visibility) {
    var targets = draft.memory().targets();
    var known = targets.stream().map(visibility.states()::targetState).filter(Objects::nonNull).toList();
    if (known.isEmpty() && !targets.isEmpty()) {
      return lastObservedAt(draft, visibility).plus(evictAfter);
    }
    var last = known.stream().map(this::forgottenAt).max(Instant::compareTo).map(at -> at.plus(TARGET_MARGIN));
    return last.filter(visibility.now()::isBefore).orElseGet(() -> visibility.now().plus(PAUSE));
  }

  /** An unwatched target is forgotten after all its resources stopped being visible, as they are found through it. */
  Instant forgottenAt(TargetState target) {
    var attemptedAt = target.getAttemptedAt();
    var last =
        attemptedAt != null && attemptedAt.isAfter(target.getObservedAt()) ? attemptedAt : target.getObservedAt();
    var hidden = earliestHiddenAt(target).plus(TARGET_MARGIN);
    return hidden.isAfter(last.plus(evictAfter)) ? hidden : last.plus(evictAfter);
  }

  /** Returns the earliest time at which resources may stop being visible because the target is stale. */
  Instant earliestHiddenAt(TargetState target) {
    return Stream.of(ResourceVisibility.staleAt(target, monthStart), startedAt.plus(ResourceVisibility.SHORTEST))
        .max(Instant::compareTo).orElseThrow();
  }

  private static Instant lastObservedAt(ResourceDraft draft, ResourceVisibility visibility) {
    return visibility.lastObservedAt(draft.memory(), draft.kind(), draft.key(), draft.stateObservedAt());
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

  /**
   * Returns an origin, at the current time, that names the most recently observed target of the resource. Its texts
   * are empty if no target is known.
   */
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
