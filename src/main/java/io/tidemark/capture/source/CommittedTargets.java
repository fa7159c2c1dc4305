package io.tidemark.capture.source;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.ledger.ResourceStateStore;
import io.tidemark.capture.poll.Schedule.KnownTarget;
import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The committed states of targets, as the schedule and the health of a session read them. */
final class CommittedTargets {

  static final String POOL = "pool";

  private final ChangeDetector detector;
  private final ResourceStateStore states;

  CommittedTargets(ChangeDetector detector, ResourceStateStore states) {
    this.detector = detector;
    this.states = states;
  }

  /** Returns what the schedule starts from, or null if the target was never observed. */
  @Nullable
  KnownTarget known(String target) {
    var state = observed(target);
    return state == null ? null : new KnownTarget(state.getObservedAt(), pools(state), state.getLearned());
  }

  /** Returns the time of the newest observation, or null if the target was never observed. */
  @Nullable
  Instant observedAt(String target) {
    var state = observed(target);
    return state == null ? null : state.getObservedAt();
  }

  /** Returns the keys of the pools that a target showed last. */
  List<String> pools(TargetState state) {
    return detector.resourcesOf(state, states).entrySet().stream()
        .filter(shown -> shown.getValue().equals(POOL))
        .map(Map.Entry::getKey)
        .toList();
  }

  private @Nullable TargetState observed(String target) {
    var state = states.targetState(target);
    return state == null || Objects.equals(state.getObservedPages(), 0) ? null : state;
  }
}
