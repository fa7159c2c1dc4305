package io.tidemark.app.metrics;

import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.SourceListener.CommittedSnapshot;
import io.tidemark.event.TargetRetry;
import io.tidemark.event.TargetState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The last poll of each target that is polled periodically, to find targets that are stale or retried. */
final class TargetStaleness {

  private final Map<String, LastPoll> newest = new ConcurrentHashMap<>();
  private final Function<TargetState, Instant> staleAt;

  /**
   * @param known returns the committed state of the target with a given name, or null if it has none
   * @param staleAt returns the time from which a target is stale if it is not polled again
   * @param since the time from which the age of a target is counted if it was never observed and {@code before} lacks
   *     it
   * @param before the polls of the same session before its targets changed; null at the start of a session
   */
  TargetStaleness(List<WatchedTarget> targets, Function<String, @Nullable TargetState> known,
      Function<TargetState, Instant> staleAt, Instant since, @Nullable TargetStaleness before) {
    this.staleAt = staleAt;
    for (var watched : targets) {
      var name = watched.target().name();
      var operation = watched.target().query().operation().wire();
      var state = known.apply(name);
      if (state != null && !isNeverObserved(state)) {
        newest.put(name, lastPoll(operation, state));
      } else {
        var earlier = before == null ? null : before.newest.get(name);
        var never = earlier == null
            ? new LastPoll(operation, since, null, since.plus(Duration.ofMinutes(15)), null)
            : earlier;
        newest.put(name, never.with(never.staleAt(), state == null ? null : state.getRetry()));
      }
    }
  }

  private static boolean isNeverObserved(TargetState state) {
    return Objects.equals(state.getObservedPages(), 0);
  }

  /**
   * The last complete poll of a target that was not rejected as older, and the retry after its newest poll.
   *
   * @param observedAt time of that complete poll; for a target that was never observed, the time since which its age is
   *     counted
   * @param asOf time of the answer according to the service; null if unknown
   * @param retry why and when the target is retried; null if the newest poll of the target was answered
   */
  record LastPoll(
      String operation, Instant observedAt, @Nullable Instant asOf, Instant staleAt, @Nullable TargetRetry retry) {

    LastPoll with(Instant staleAt, @Nullable TargetRetry retry) {
      return new LastPoll(operation, observedAt, asOf, staleAt, retry);
    }

    /**
     * Returns whether the target is retried only seldom, so that the age of its data says nothing about the schedule.
     */
    boolean looksFinal() {
      return retry != null && retry.getLooksFinal() && retry.getPages() == null;
    }
  }

  /** Records a poll. Returns the value before this poll, or null if the target is not polled periodically. */
  @Nullable
  LastPoll committed(CommittedSnapshot committed) {
    var state = committed.outcome().targetState();
    var before = newest.get(committed.target());
    if (before != null) {
      var isNewer = state.getComplete() && !committed.isRejected();
      newest.put(committed.target(), isNewer ? lastPoll(committed.operation(), state)
          : before.with(isNeverObserved(state) ? before.staleAt() : staleAt.apply(state),
              state.getRetry()));
    }
    return before;
  }

  Set<String> operations() {
    return newest.values().stream().map(LastPoll::operation).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the seconds since the observation of the target that was observed longest ago. Ignores targets whose
   * failure looks final and that are not polled with fewer pages. Returns NaN if no target is left.
   */
  double staleness(String operation, Instant now) {
    return of(operation)
        .filter(lastPoll -> !lastPoll.looksFinal())
        .mapToDouble(lastPoll -> Math.max(0, Duration.between(lastPoll.observedAt(), now).toMillis() / 1000.0))
        .max()
        .orElse(Double.NaN);
  }

  /** Counts the stale targets, whatever the outcome of their newest poll. */
  long overdue(String operation, Instant now) {
    return of(operation).filter(lastPoll -> now.isAfter(lastPoll.staleAt())).count();
  }

  /** Counts the targets whose newest poll failed. */
  long retrying(String operation) {
    return of(operation).filter(lastPoll -> lastPoll.retry() != null).count();
  }

  /**
   * Returns the seconds until the first of the targets whose newest poll failed is polled again, or NaN if there is no
   * such target.
   */
  double nextRetry(String operation, Instant now) {
    return of(operation).map(LastPoll::retry).filter(Objects::nonNull)
        .mapToDouble(retry -> Math.max(0, Duration.between(now, retry.getNextAt()).toMillis() / 1000.0))
        .min()
        .orElse(Double.NaN);
  }

  /** Counts the targets whose newest poll was answered and that are not stale. */
  long upToDate(String operation, Instant now) {
    return of(operation).filter(lastPoll -> lastPoll.retry() == null && !now.isAfter(lastPoll.staleAt())).count();
  }

  private Stream<LastPoll> of(String operation) {
    return newest.values().stream().filter(lastPoll -> lastPoll.operation().equals(operation));
  }

  private LastPoll lastPoll(String operation, TargetState state) {
    return new LastPoll(operation, state.getObservedAt(), state.getAsOf(), staleAt.apply(state), state.getRetry());
  }
}
