package io.tidemark.capture.source;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.capture.poll.Schedule;
import io.tidemark.capture.poll.Schedule.KnownTarget;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Operation;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A view of the known states of targets, including states that are appended but not committed yet, for the schedule
 * and the health of a session.
 */
final class CommittedTargets {

  static final String POOL = "pool";

  private final ResourceStateStore states;

  CommittedTargets(ResourceStateStore states) {
    this.states = states;
  }

  /** Returns the known facts from which the schedule of a target starts, or null if the target was never observed. */
  @Nullable
  KnownTarget known(String target) {
    var state = observed(target);
    return state == null
        ? null
        : new KnownTarget(state.getObservedAt(), pools(state), lastPage(states.members(target)), state.getLearned());
  }

  /** Lets a schedule continue the retry of a target whose newest poll failed. */
  void resumeRetry(String target, Schedule schedule) {
    var state = states.targetState(target);
    if (state != null && state.getRetry() != null) {
      schedule.resumeRetry(target, state.getRetry());
    }
  }

  /** Returns the number of the last page that has members whose absence does not await confirmation. */
  private static int lastPage(Collection<TargetMembers> pages) {
    return pages.stream().filter(page -> page.getAbsence() == null && !page.getMembers().isEmpty())
        .mapToInt(TargetMembers::getPage).max().orElse(0);
  }

  /** Returns the time at which a target was last observed, or null if the target was never observed. */
  @Nullable
  Instant observedAt(String target) {
    var state = observed(target);
    return state == null ? null : state.getObservedAt();
  }

  /** Returns the keys of the pools that a target showed in the given state. */
  List<String> pools(TargetState state) {
    return List.copyOf(ChangeDetector.resourcesOf(state, states).getOrDefault(POOL, Set.of()));
  }

  /**
   * Returns the encoded knowledge that schedules have learned about a target, or an empty buffer if they learned
   * nothing.
   */
  ByteBuffer learned(String target) {
    var state = states.targetState(target);
    return state == null ? ByteBuffer.allocate(0) : state.getLearned();
  }

  /**
   * Returns the state of a target, or null if the target was never observed. A day of a coin does not count as observed
   * if the day's own state was lost, since an observed day is hardly ever polled again.
   */
  private @Nullable TargetState observed(String target) {
    var state = states.targetState(target);
    return state == null || Objects.equals(state.getObservedPages(), 0) || isLostDay(state) ? null : state;
  }

  private boolean isLostDay(TargetState state) {
    return Operation.of(state.getOperation()) == Operation.COIN_HISTORY
        && ChangeDetector.resourcesOf(state, states).entrySet().stream()
            .anyMatch(shown -> shown.getValue().stream().anyMatch(key -> states.find(shown.getKey(), key) == null));
  }
}
