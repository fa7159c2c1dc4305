package io.tidemark.cli.meter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.tidemark.cli.meter.Sights.Sight;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What looks of a source come to, and how long ago they were. */
final class LookMeters {

  /** An answer's own time is in whole seconds, of two clocks. */
  private static final Duration SAME_FILL = Duration.ofMillis(1500);

  private final String source;
  private final MeterRegistry registry;
  private final InstantSource clock;
  private final Counted polls;
  private final Counted wasted;
  private final Counted missed;
  private final Counted refused;
  private final Meter.MeterProvider<Timer> answers;
  private volatile @Nullable Sights sights;

  LookMeters(String source, MeterRegistry registry, InstantSource clock) {
    this.source = source;
    this.registry = registry;
    this.clock = clock;
    polls = new Counted(registry, source, "tidemark.polls", "Looks at targets, by what they came to.");
    wasted = new Counted(registry, source, "tidemark.polls.wasted",
        "Looks that showed nothing new: early (the answer was the cached one of last time) or quiet (a new one, equal).");
    missed = new Counted(registry, source, "tidemark.pools.missed",
        "Estimate of new pools that came and went between two looks at a list.");
    refused = new Counted(registry, source, "tidemark.observations.refused",
        "Resources in answers that were not believed, by why.");
    answers = Timer.builder("tidemark.answer")
        .description("Answers of the service, and how long each took from the request to its last byte.")
        .tag("source", source)
        .withRegistry(registry);
  }

  /** From now on these targets are watched. */
  void watch(Sights watched) {
    sights = watched;
    for (var operation : watched.operations()) {
      LookOutcome.USUAL.forEach(outcome -> polls.expect("operation", operation, "outcome", outcome));
      List.of("early", "quiet").forEach(kind -> wasted.expect("operation", operation, "kind", kind));
      gauge("tidemark.staleness", "seconds", "Age of the target seen longest ago.", operation,
          all -> all.staleness(operation, clock.instant()));
      gauge("tidemark.targets.overdue", null, "Targets so long not seen that what they showed counts as out of sight.",
          operation, all -> all.overdue(operation, clock.instant()));
      gauge("tidemark.targets.disabled", null, "Targets that the service will not answer, and that are not asked.",
          operation, all -> all.disabled(operation));
    }
    missed.expect("operation", Operation.NEW_POOLS.wire());
    refused.expect("resource", "pool", "reason", "older");
  }

  void seen(Look look) {
    polls.add(1, "operation", look.operation(), "outcome", LookOutcome.of(look));
    look.sweep().pages().forEach(answer -> answers
        .withTags("operation", look.operation())
        .record(Duration.between(answer.sentAt(), answer.receivedAt())));
    var target = look.outcome().target();
    if (target.getMissed() != null) {
      missed.add((double) target.getMissed(), "operation", look.operation());
    }
    target.getRefusals().forEach(
        refusal -> refused.add((double) refusal.getCount(), "resource", refusal.getResource(), "reason",
            refusal.getReason()));
    var before = sights == null ? null : sights.seen(look);
    if (look.sweep().complete() && !target.getChanged() && before != null) {
      wasted.add(1, "operation", look.operation(), "kind", isSameFill(before, look) ? "early" : "quiet");
    }
  }

  private static boolean isSameFill(Sight before, Look look) {
    var asOf = look.outcome().target().getAsOf();
    return asOf != null
        && before.asOf() != null
        && Duration.between(before.asOf(), asOf).abs().compareTo(SAME_FILL) < 0;
  }

  private void gauge(
      String name, @Nullable String unit, String help, String operation, ToDoubleFunction<Sights> value) {
    Gauge.builder(name, this, all -> all.of(value))
        .description(help)
        .baseUnit(unit)
        .tag("source", source)
        .tag("operation", operation)
        .register(registry);
  }

  private double of(ToDoubleFunction<Sights> value) {
    var now = sights;
    return now == null ? Double.NaN : value.applyAsDouble(now);
  }

  /** Nothing is watched here any more. */
  void rest() {
    sights = null;
  }
}
