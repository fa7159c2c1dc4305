package io.tidemark.metrics;

import io.tidemark.event.TargetState;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.CommittedSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** When each watched target was last seen; days of a history, which are looked at once, are not among them. */
final class TargetStaleness {

  private final Map<String, LastPoll> newest = new ConcurrentHashMap<>();
  private final Function<TargetState, Instant> staleAt;

  /** @param staleAt when a target that is not looked at any more shows nothing */
  TargetStaleness(Function<TargetState, Instant> staleAt) {
    this.staleAt = staleAt;
  }

  /**
   * A target.
   *
   * @param asOf the service's own time of what was seen last
   * @param disabled whether it will not be answered any more
   */
  record LastPoll(String operation, Instant observedAt, @Nullable Instant asOf, Instant staleAt, boolean disabled) {
    LastPoll withDisabled() {
      return new LastPoll(operation, observedAt, asOf, staleAt, true);
    }
  }

  /** @param since from when what was never seen counts as missing */
  void watch(Collection<WatchedTarget> targets, Function<String, @Nullable TargetState> known, Instant since) {
    for (var watched : targets) {
      var operation = watched.target().query().operation().wire();
      var state = known.apply(watched.target().name());
      var never = new LastPoll(operation, since, null, since.plus(Duration.ofMinutes(15)), false);
      newest.put(watched.target().name(), state == null ? never : lastPoll(operation, state));
    }
  }

  /** What was known of the target before; null where it is not watched steadily. */
  @Nullable
  LastPoll committed(CommittedSnapshot committed) {
    var state = committed.outcome().targetState();
    var before = newest.get(committed.target());
    if (before != null && io.tidemark.poll.PollHealth.disablesTarget(committed.snapshot())) {
      newest.put(committed.target(), before.withDisabled());
    } else if (before != null && state.getComplete() && !PollOutcome.isRejected(committed)) {
      newest.put(committed.target(), lastPoll(committed.operation(), state));
    }
    return before;
  }

  Set<String> operations() {
    var names = new TreeSet<String>();
    newest.values().forEach(lastPoll -> names.add(lastPoll.operation()));
    return names;
  }

  /** Seconds since the target was seen that was seen longest ago. */
  double staleness(String operation, Instant now) {
    return of(operation)
        .filter(lastPoll -> !lastPoll.disabled())
        .mapToDouble(lastPoll -> Math.max(0, Duration.between(lastPoll.observedAt(), now).toMillis() / 1000.0))
        .max()
        .orElse(Double.NaN);
  }

  /** Targets whose look is so late that what they show counts as out of sight. */
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

  /** How long a target was answered since it was seen: one that is not found is looked at no less. */
  private static Duration answeredFor(TargetState state) {
    return state.getComplete() && state.getPages().isEmpty() && state.getAttemptedAt() != null
        ? Duration.between(state.getObservedAt(), state.getAttemptedAt())
        : Duration.ZERO;
  }
}
