package io.tidemark.app.metrics;

import com.google.common.base.CaseFormat;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.Timer;
import io.tidemark.app.metrics.TargetStaleness.LastPoll;
import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.capture.source.SourceListener.CommittedSnapshot;
import io.tidemark.market.Failure;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Metrics of a source's polls, by operation: their outcomes, and how stale the targets are. */
final class PollMetrics {

  /**
   * Limit, exclusive, of the difference between the times of two answers that come from the same fill of the service's
   * cache. The times are whole seconds of two clocks.
   */
  private static final Duration SAME_FILL = Duration.ofMillis(1500);

  private final MeterFactory meters;
  private final InstantSource clock;
  private final MeterProvider<Counter> polls;
  private final MeterProvider<Counter> chosen;
  private final MeterProvider<Counter> wasted;
  private final MeterProvider<Counter> missed;
  private final MeterProvider<Counter> rejected;
  private final MeterProvider<Timer> answers;
  private volatile @Nullable TargetStaleness staleness;
  /** Operations whose gauges are registered. */
  private final Set<String> gauges = ConcurrentHashMap.newKeySet();

  PollMetrics(MeterFactory meters, InstantSource clock) {
    this.meters = meters;
    this.clock = clock;
    polls = meters.counters("tidemark.polls", "Polls of targets, by outcome.");
    chosen = meters.counters("tidemark.polls.chosen",
        "Polls, by the reason why the schedule chose them: never_observed, overdue, history or age.");
    wasted = meters.counters("tidemark.polls.wasted",
        "Polls that showed nothing new: early (the cached answer of last time) or quiet (a new but equal answer).");
    missed = meters.counters("tidemark.pools.missed",
        "Estimate of new pools missed between two snapshots of a list that is not contiguous.");
    rejected = meters.counters("tidemark.observations.rejected",
        "Observations of resources that were rejected, by reason.");
    // buckets from the time of an answer of a nearby cache to the timeout of a whole answer
    answers = meters.timers("tidemark.answer",
        "Answers of the service, and how long each took from the request to the last byte of the answer.",
        50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000);
  }

  /** Returns the polls of the targets of the present session, or null outside of a session. */
  @Nullable
  TargetStaleness staleness() {
    return staleness;
  }

  /** Starts the metrics of targets that are polled from now on. */
  void startPolling(TargetStaleness watched) {
    staleness = watched;
    for (var operation : watched.operations()) {
      List.of("changed", "unchanged")
          .forEach(outcome -> polls.withTags("operation", operation, "outcome", outcome).increment(0));
      chosen.withTags("operation", operation, "reason", "age").increment(0);
      List.of("early", "quiet").forEach(kind -> wasted.withTags("operation", operation, "kind", kind).increment(0));
      if (!gauges.add(operation)) {
        continue;
      }
      gauge("tidemark.staleness", "seconds", "Staleness of the target observed longest ago.", operation,
          all -> all.staleness(operation, clock.instant()));
      gauge("tidemark.targets.overdue", null, "Targets so stale that their resources are not visible.",
          operation, all -> all.overdue(operation, clock.instant()));
      gauge("tidemark.targets.up.to.date", null, "Targets whose newest poll was answered, and that are not overdue.",
          operation, all -> all.upToDate(operation, clock.instant()));
      gauge("tidemark.targets.retrying", null, "Targets whose newest poll failed: each is polled again after a pause.",
          operation, all -> all.retrying(operation));
      gauge("tidemark.next.retry", "seconds", "Time until the first of the retried targets is polled again.", operation,
          all -> all.nextRetry(operation, clock.instant()));
    }
    missed.withTags("operation", Operation.NEW_POOLS.wire()).increment(0);
    rejected.withTags("resource", "pool", "reason", "older").increment(0);
  }

  void chosen(DueTarget due) {
    chosen.withTags("operation", due.target().query().operation().wire(), "reason", due.reason().cause().wire())
        .increment();
  }

  void committed(CommittedSnapshot committed) {
    polls.withTags("operation", committed.operation(), "outcome", outcome(committed)).increment();
    committed.snapshot().pages().forEach(answer -> answers
        .withTags("operation", committed.operation())
        .record(Duration.between(answer.sentAt(), answer.receivedAt())));
    var target = committed.outcome().targetState();
    // The state after a rejected or incomplete snapshot repeats what an earlier one missed.
    if (target.getChanged() && target.getComplete() && target.getMissed() != null) {
      missed.withTags("operation", committed.operation()).increment((double) target.getMissed());
    }
    target.getRejections().forEach(
        rejection -> rejected.withTags("resource", rejection.getResource(), "reason", rejection.getReason())
            .increment((double) rejection.getCount()));
    var before = staleness == null ? null : staleness.committed(committed);
    if (committed.snapshot().complete() && !target.getChanged() && before != null) {
      wasted.withTags("operation", committed.operation(), "kind", isSameFill(before, committed) ? "early" : "quiet")
          .increment();
    }
  }

  private static boolean isSameFill(LastPoll before, CommittedSnapshot committed) {
    var asOf = committed.outcome().targetState().getAsOf();
    return asOf != null
        && before.asOf() != null
        && Duration.between(before.asOf(), asOf).abs().compareTo(SAME_FILL) < 0;
  }

  private void gauge(
      String name, @Nullable String unit, String help, String operation, ToDoubleFunction<TargetStaleness> value) {
    meters.with("operation", operation).gauge(name, unit, help, () -> of(value));
  }

  private double of(ToDoubleFunction<TargetStaleness> value) {
    var now = staleness;
    return now == null ? Double.NaN : value.applyAsDouble(now);
  }

  void stopPolling() {
    staleness = null;
  }

  private static String outcome(CommittedSnapshot committed) {
    var failure = committed.snapshot().failure();
    var state = committed.outcome().targetState();
    if (failure != null) {
      return label(failure.getClass());
    }
    return committed.isRejected() ? "rejected"
        : !state.getComplete() ? "unreadable" : state.getChanged() ? "changed" : "unchanged";
  }

  /** Returns the label of a kind of failure: the name of the class in snake case. */
  static String label(Class<? extends Failure> kind) {
    return CaseFormat.UPPER_CAMEL.to(CaseFormat.LOWER_UNDERSCORE, kind.getSimpleName());
  }
}
