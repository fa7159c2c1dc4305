package io.tidemark.cli.meter;

import io.tidemark.event.TargetState;
import io.tidemark.poll.Watched;
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
final class Sights {

  private final Map<String, Sight> newest = new ConcurrentHashMap<>();
  private final Function<TargetState, Instant> staleAt;

  /** @param staleAt when a target that is not looked at any more shows nothing */
  Sights(Function<TargetState, Instant> staleAt) {
    this.staleAt = staleAt;
  }

  /**
   * A target.
   *
   * @param asOf the service's own time of what was seen last
   * @param disabled whether it will not be answered any more
   */
  record Sight(String operation, Instant seenAt, @Nullable Instant asOf, Instant staleAt, boolean disabled) {
    Sight withDisabled() {
      return new Sight(operation, seenAt, asOf, staleAt, true);
    }
  }

  /** @param since from when what was never seen counts as missing */
  void watch(Collection<Watched> targets, Function<String, @Nullable TargetState> known, Instant since) {
    for (var watched : targets) {
      var operation = watched.target().query().operation().wire();
      var state = known.apply(watched.target().name());
      var never = new Sight(operation, since, null, since.plus(Duration.ofMinutes(15)), false);
      newest.put(watched.target().name(), state == null ? never : sight(operation, state));
    }
  }

  /** What was known of the target before; null where it is not watched steadily. */
  @Nullable
  Sight seen(Look look) {
    var state = look.outcome().target();
    var before = newest.get(look.target());
    if (before != null && io.tidemark.poll.Sight.isGivenUp(look.sweep())) {
      newest.put(look.target(), before.withDisabled());
    } else if (before != null && state.getComplete() && !LookOutcome.refused(look)) {
      newest.put(look.target(), sight(look.operation(), state));
    }
    return before;
  }

  Set<String> operations() {
    var names = new TreeSet<String>();
    newest.values().forEach(sight -> names.add(sight.operation()));
    return names;
  }

  /** Seconds since the target was seen that was seen longest ago. */
  double staleness(String operation, Instant now) {
    return of(operation)
        .filter(sight -> !sight.disabled())
        .mapToDouble(sight -> Math.max(0, Duration.between(sight.seenAt(), now).toMillis() / 1000.0))
        .max()
        .orElse(Double.NaN);
  }

  /** Targets whose look is so late that what they show counts as out of sight. */
  long overdue(String operation, Instant now) {
    return of(operation).filter(sight -> !sight.disabled() && now.isAfter(sight.staleAt())).count();
  }

  long disabled(String operation) {
    return of(operation).filter(Sight::disabled).count();
  }

  private Stream<Sight> of(String operation) {
    return newest.values().stream().filter(sight -> sight.operation().equals(operation));
  }

  private Sight sight(String operation, TargetState state) {
    var since = answeredFor(state);
    return new Sight(
        operation, state.getObservedAt().plus(since), state.getAsOf(), staleAt.apply(state).plus(since), false);
  }

  /** How long a target was answered since it was seen: one that is not found is looked at no less. */
  private static Duration answeredFor(TargetState state) {
    return state.getComplete() && state.getPages().isEmpty() && state.getTriedAt() != null
        ? Duration.between(state.getObservedAt(), state.getTriedAt())
        : Duration.ZERO;
  }
}
