package io.tidemark.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.tidemark.poll.RemainingBudget;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Metrics of a source's budget; absent while it is not polled here. */
final class BudgetMetrics {

  private final String source;
  private final MeterRegistry registry;
  private volatile @Nullable Supplier<RemainingBudget> budget;
  private long sentBefore;

  BudgetMetrics(String source, MeterRegistry registry, InstantSource clock) {
    this.source = source;
    this.registry = registry;
    calls("remaining", "Calls that remain.", "minute", RemainingBudget::minuteRemaining);
    calls("remaining", "Calls that remain.", "month", RemainingBudget::monthRemaining);
    calls("limit", "Calls allowed in all.", "minute", RemainingBudget::minuteLimit);
    calls("limit", "Calls allowed in all.", "month", RemainingBudget::monthLimit);
    gauge("reset", "Time until the count of the month starts again.", "seconds", Tags.empty(),
        remaining -> Duration.between(clock.instant(), remaining.monthEndsAt()).toSeconds());
    gauge("lasts", "How long the remaining calls of the month last at the rate of the last minute; at most a year.",
        "seconds", Tags.empty(),
        remaining -> remaining.lastsFor().toSeconds());
    FunctionCounter.builder("tidemark.calls", this, all -> all.sent())
        .description("Calls sent, retries included.")
        .tag("source", source)
        .register(registry);
  }

  synchronized void startPolling(Supplier<RemainingBudget> remaining) {
    stopPolling();
    budget = remaining;
  }

  synchronized void stopPolling() {
    sentBefore = (long) sent();
    budget = null;
  }

  /** Each session counts its own calls. */
  private synchronized double sent() {
    return sentBefore + (budget == null ? 0 : budget.get().sent());
  }

  private void calls(String name, String help, String window, ToDoubleFunction<RemainingBudget> value) {
    gauge(name, help, "calls", Tags.of("window", window), value);
  }

  private void gauge(String name, String help, String unit, Tags tags, ToDoubleFunction<RemainingBudget> value) {
    Gauge.builder("tidemark.budget." + name, this, all -> all.value(value))
        .description(help)
        .baseUnit(unit)
        .tag("source", source)
        .tags(tags)
        .register(registry);
  }

  private double value(ToDoubleFunction<RemainingBudget> value) {
    var now = budget;
    return now == null ? Double.NaN : value.applyAsDouble(now.get());
  }
}
