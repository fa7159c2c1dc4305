package io.tidemark.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemark.market.Operation;
import io.tidemark.metrics.TargetStaleness.LastPoll;
import io.tidemark.source.CommittedSnapshot;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What looks of a source come to, and how long ago they were. */
final class PollMetrics {

  /** An answer's own time is in whole seconds, of two clocks. */
  private static final Duration SAME_FILL = Duration.ofMillis(1500);

  private final String source;
  private final MeterRegistry registry;
  private final InstantSource clock;
  private final LabelledCounter polls;
  private final LabelledCounter wasted;
  private final LabelledCounter missed;
  private final LabelledCounter rejected;
  private final Meter.MeterProvider<Timer> answers;
  private volatile @Nullable TargetStaleness staleness;

  PollMetrics(String source, MeterRegistry registry, InstantSource clock) {
    this.source = source;
    this.registry = registry;
    this.clock = clock;
    polls = new LabelledCounter(registry, source, "tidemark.polls", "Looks at targets, by what they came to.");
    wasted = new LabelledCounter(registry, source, "tidemark.polls.wasted",
        "Looks that showed nothing new: early (the answer was the cached one of last time) or quiet (a new one, equal).");
    missed = new LabelledCounter(registry, source, "tidemark.pools.missed",
        "Estimate of new pools that came and went between two looks at a list.");
    rejected = new LabelledCounter(registry, source, "tidemark.observations.refused",
        "Resources in answers that were not believed, by why.");
    answers = Timer.builder("tidemark.answer")
        .description("Answers of the service, and how long each took from the request to its last byte.")
        .tag("source", source)
        .withRegistry(registry);
  }

  /** From now on these targets are watched. */
  void startPolling(TargetStaleness watched) {
    staleness = watched;
    for (var operation : watched.operations()) {
      PollOutcome.USUAL.forEach(outcome -> polls.registerAtZero("operation", operation, "outcome", outcome));
      List.of("early", "quiet").forEach(kind -> wasted.registerAtZero("operation", operation, "kind", kind));
      gauge("tidemark.staleness", "seconds", "Age of the target seen longest ago.", operation,
          all -> all.staleness(operation, clock.instant()));
      gauge("tidemark.targets.overdue", null, "Targets so long not seen that what they showed counts as out of sight.",
          operation, all -> all.overdue(operation, clock.instant()));
      gauge("tidemark.targets.disabled", null, "Targets that the service will not answer, and that are not asked.",
          operation, all -> all.disabled(operation));
    }
    missed.registerAtZero("operation", Operation.NEW_POOLS.wire());
    rejected.registerAtZero("resource", "pool", "reason", "older");
  }

  void committed(CommittedSnapshot committed) {
    polls.add(1, "operation", committed.operation(), "outcome", PollOutcome.of(committed));
    committed.snapshot().pages().forEach(answer -> answers
        .withTags("operation", committed.operation())
        .record(Duration.between(answer.sentAt(), answer.receivedAt())));
    var target = committed.outcome().targetState();
    if (target.getMissed() != null) {
      missed.add((double) target.getMissed(), "operation", committed.operation());
    }
    target.getRejections().forEach(
        refusal -> rejected.add((double) refusal.getCount(), "resource", refusal.getResource(), "reason",
            refusal.getReason()));
    var before = staleness == null ? null : staleness.committed(committed);
    if (committed.snapshot().complete() && !target.getChanged() && before != null) {
      wasted.add(1, "operation", committed.operation(), "kind", isSameFill(before, committed) ? "early" : "quiet");
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
    Gauge.builder(name, this, all -> all.of(value))
        .description(help)
        .baseUnit(unit)
        .tag("source", source)
        .tag("operation", operation)
        .register(registry);
  }

  private double of(ToDoubleFunction<TargetStaleness> value) {
    var now = staleness;
    return now == null ? Double.NaN : value.applyAsDouble(now);
  }

  /** Nothing is watched here any more. */
  void stopPolling() {
    staleness = null;
  }
}
