package io.tidemark.change;

import io.tidemark.event.TargetState;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which targets show a resource at a time, and when a resource that none shows is no longer visible. */
record ResourceVisibility(KnownStates states, Instant now) {
  /** A target that was not observed for this many of the gaps between its snapshots shows nothing any more. */
  private static final int GAPS = 3;

  /** The shortest time without being shown after which a resource is not visible. */
  static final Duration SHORTEST = Duration.ofMinutes(15);

  /** The state of a target that is not stale and shows the resource; null where it does not. */
  @Nullable
  TargetState showing(String target, String key) {
    var state = states.targetState(target);
    return state != null && !isStale(state, now) && lists(target, key) ? state : null;
  }

  /** When a target that shows the resource was last observed, however long ago; null where it does not show it. */
  @Nullable
  Instant lastShownBy(String target, String key) {
    var state = states.targetState(target);
    return state != null && lists(target, key) ? state.getObservedAt() : null;
  }

  private boolean lists(String target, String key) {
    return states.members(target).stream().anyMatch(page -> page.getMembers().contains(key));
  }

  /** Whether any target shows the resource. */
  boolean isShown(DetectionMemory memory, String key) {
    return memory.targets().stream().anyMatch(target -> showing(target, key) != null);
  }

  /** When a resource that no target shows stops being visible: after the longest time of those that showed it. */
  Instant notVisibleAt(DetectionMemory memory, Instant lastObservedAt) {
    return memory.targets().stream()
        .map(states::targetState)
        .filter(Objects::nonNull)
        .map(state -> lastObservedAt.plus(staleAfter(state)))
        .max(Instant::compareTo)
        .orElse(lastObservedAt.plus(SHORTEST));
  }

  /**
   * When a resource was last observed, by what is known of its targets.
   *
   * @param stateObservedAt time of its state
   */
  Instant lastObservedAt(DetectionMemory memory, String key, Instant stateObservedAt) {
    var remembered = memory.values().getLastObservedAt();
    var last = remembered != null ? remembered : stateObservedAt;
    for (var target : memory.targets()) {
      var shown = lastShownBy(target, key);
      last = shown != null && shown.isAfter(last) ? shown : last;
    }
    return last;
  }

  /** Keys of the resources that a target shows, each with the name of its kind. */
  Map<String, String> shownBy(TargetState target) {
    var operation = Operation.of(target.getOperation());
    var subject = Objects.requireNonNullElse(ResourceKind.subjectOf(operation), ResourceKind.listedBy(operation));
    var shown = new LinkedHashMap<String, String>();
    for (var page : states.members(target.getTarget())) {
      for (var key : page.getMembers()) {
        var isSubject = page.getPage() == 1 && key.equals(page.getMembers().get(0));
        var kind = isSubject ? subject : ResourceKind.listedBy(operation);
        shown.put(key, (page.getPage() == 0 ? ResourceKind.TOKEN : kind).resource());
      }
    }
    return shown;
  }

  /** Whether a target was not observed for so long that it shows nothing any more. */
  static boolean isStale(TargetState state, Instant now) {
    return !staleAt(state).isAfter(now);
  }

  static Instant staleAt(TargetState state) {
    return state.getObservedAt().plus(staleAfter(state));
  }

  private static Duration staleAfter(TargetState state) {
    var before = state.getPreviousObservedAt();
    var gap = before == null ? Duration.ZERO : Duration.between(before, state.getObservedAt());
    var gaps = gap.multipliedBy(GAPS);
    return gaps.compareTo(SHORTEST) < 0 ? SHORTEST : gaps;
  }
}
