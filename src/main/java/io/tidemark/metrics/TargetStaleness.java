package io.tidemark.metrics;

import io.tidemark.event.TargetState;
import io.tidemark.poll.PollHealth;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.SourceListener.CommittedSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When each periodic target was last observed, and which are stale or disabled. */
final class TargetStaleness {

  private final Map<String, LastPoll> newest = new ConcurrentHashMap<>();
  private final Function<TargetState, Instant> staleAt;

  /** @param staleAt when a target that is not polled any more is stale */
  TargetStaleness(Function<TargetState, Instant> staleAt) {
    this.staleAt = staleAt;
  }

  /**
   * The last poll of a target.
   *
   * @param asOf the service's own time of its answer
   * @param disabled whether the service does not answer for the target
   */
  record LastPoll(String operation, Instant observedAt, @Nullable Instant asOf, Instant staleAt, boolean disabled) {
    LastPoll withDisabled() {
      return new LastPoll(operation, observedAt, asOf, staleAt, true);
    }
  }

  /** @param since from when a target that was never observed is missing */
  void watch(Collection<WatchedTarget> targets, Function<String, @Nullable TargetState> known, Instant since) {
    for (var watched : targets) {
      var operation = watched.target().query().operation().wire();
      var state = known.apply(watched.target().name());
      var never = new LastPoll(operation, since, null, since.plus(Duration.ofMinutes(15)), false);
      newest.put(watched.target().name(), state == null ? never : lastPoll(operation, state));
    }
  }

  /** Returns the poll before; null where the target is not polled periodically. */
  @Nullable
  LastPoll committed(CommittedSnapshot committed) {
    var state = committed.outcome().targetState();
    var before = newest.get(committed.target());
    if (before != null && PollHealth.disablesTarget(committed.snapshot())) {
      newest.put(committed.target(), before.withDisabled());
    } else if (before != null && state.getComplete() && !PollMetrics.isRejected(committed)) {
      newest.put(committed.target(), lastPoll(committed.operation(), state));
    }
    return before;
  }

  Set<String> operations() {
    return newest.values().stream().map(LastPoll::operation).collect(Collectors.toCollection(TreeSet::new));
  }

  /** Seconds since the oldest observation of an enabled target. */
  double staleness(String operation, Instant now) {
    return of(operation)
        .filter(lastPoll -> !lastPoll.disabled())
        .mapToDouble(lastPoll -> Math.max(0, Duration.between(lastPoll.observedAt(), now).toMillis() / 1000.0))
        .max()
        .orElse(Double.NaN);
  }

  /** Enabled targets that are stale. */
  long overdue(String operation, Instant now) {
    return of(operation).filter(lastPoll -> !lastPoll.disabled() && now.isAfter(lastPoll.staleAt())).count();
  }

  long disabled(String operation) {
    return of(operation).filter(LastPoll::disabled).count();
  }

  private Stream<LastPoll> of(String operation) {
    return newest.values().stream().filter(lastPoll -> lastPoll.operation().equals(operation));
  }

  private LastPoll lastPoll(String operation, TargetState state) {
    var since = answeredFor(state);
    return new LastPoll(
        operation, state.getObservedAt().plus(since), state.getAsOf(), staleAt.apply(state).plus(since), false);
  }

  /** How long after its observation a target was answered "not found": such a poll counts, too. */
  private static Duration answeredFor(TargetState state) {
    return state.getComplete() && state.getPages().isEmpty() && state.getAttemptedAt() != null
        ? Duration.between(state.getObservedAt(), state.getAttemptedAt())
        : Duration.ZERO;
  }
}
