package io.tidemark.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
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
    calls("tidemark.budget.remaining", "Calls that remain.", "minute", RemainingBudget::minuteRemaining);
    calls("tidemark.budget.remaining", "Calls that remain.", "month", RemainingBudget::monthRemaining);
    calls("tidemark.budget.limit", "Calls allowed in all.", "minute", RemainingBudget::minuteLimit);
    calls("tidemark.budget.limit", "Calls allowed in all.", "month", RemainingBudget::monthLimit);
    seconds("tidemark.budget.reset", "Time until the count of the month starts again.",
        remaining -> Duration.between(clock.instant(), remaining.monthEndsAt()).toSeconds());
    seconds("tidemark.budget.lasts",
        "How long the remaining calls of the month last at the rate of the last minute; at most a year.",
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
    Gauge.builder(name, this, all -> all.value(value))
        .description(help)
        .baseUnit("calls")
        .tag("source", source)
        .tag("window", window)
        .register(registry);
  }

  private void seconds(String name, String help, ToDoubleFunction<RemainingBudget> value) {
    Gauge.builder(name, this, all -> all.value(value))
        .description(help)
        .baseUnit("seconds")
        .tag("source", source)
        .register(registry);
  }

  private double value(ToDoubleFunction<RemainingBudget> value) {
    var now = budget;
    return now == null ? Double.NaN : value.applyAsDouble(now.get());
  }
}
