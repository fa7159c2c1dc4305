package io.tidemark.app.metrics;

import io.tidemark.capture.poll.RemainingBudget;
import io.tidemark.capture.poll.RemainingBudget.KeyRemaining;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of a source's budget. The gauges are NaN while this process does not poll the source. The counter of calls
 * keeps its value.
 */
final class BudgetMetrics {

  private final MeterFactory meters;
  private volatile @Nullable Supplier<RemainingBudget> budget;
  private long sentBefore;
  /** Names of the keys whose gauges are registered. */
  private final Set<String> keys = ConcurrentHashMap.newKeySet();

  BudgetMetrics(MeterFactory meters, InstantSource clock) {
    this.meters = meters;
    calls("remaining", "Calls that remain.", "minute", RemainingBudget::minuteRemaining);
    calls("remaining", "Calls that remain.", "month", RemainingBudget::monthRemaining);
    calls("limit", "Maximum number of calls.", "minute", RemainingBudget::minuteLimit);
    calls("limit", "Maximum number of calls.", "month", RemainingBudget::monthLimit);
    gauge("tidemark.budget.reset", "Time until the monthly count of calls starts again.", "seconds",
        remaining -> Duration.between(clock.instant(), remaining.monthEndsAt()).toSeconds());
    gauge("tidemark.budget.lasts",
        "How long the remaining calls of the month last at the rate of the last minute; at most a year.",
        "seconds",
        remaining -> remaining.lastsFor().toSeconds());
    meters.counted("tidemark.calls", "Calls sent, retries included.", this, BudgetMetrics::sent);
  }

  /** @param remaining the same object as before if only the targets of the session have changed */
  synchronized void startPolling(Supplier<RemainingBudget> remaining) {
    if (budget != remaining) {
      stopPolling();
      budget = remaining;
    }
    remaining.get().keys().stream().map(KeyRemaining::name).filter(keys::add).forEach(this::register);
  }

  private void register(String key) {
    gauge("tidemark.key.remaining", "Calls that a key has left in this month.", "calls",
        remaining -> of(remaining, key, KeyRemaining::monthRemaining), "key", key);
    gauge("tidemark.key.service.remaining", "Calls that a key has left in this month by the service's count.",
        "calls", remaining -> of(remaining, key, BudgetMetrics::byService), "key", key);
    for (var status : KeyStatus.values()) {
      gauge("tidemark.key.status", "1 for the current status of a key, 0 for the other statuses.", null,
          remaining -> of(remaining, key, each -> each.status() == status ? 1 : 0), "key", key, "status",
          status.wire());
    }
  }

  private static double byService(KeyRemaining key) {
    var report = key.report();
    return report == null || report.getRemaining() == null ? Double.NaN : report.getRemaining();
  }

  private static double of(RemainingBudget budget, String key, ToDoubleFunction<KeyRemaining> value) {
    return budget.keys().stream().filter(each -> each.name().equals(key)).mapToDouble(value).findFirst()
        .orElse(Double.NaN);
  }

  synchronized void stopPolling() {
    sentBefore = (long) sent();
    budget = null;
  }

  /** Adds up all sessions of this process. Each session counts only the calls that it sent itself. */
  private synchronized double sent() {
    return sentBefore + (budget == null ? 0 : budget.get().sent());
  }

  private void calls(String name, String help, String window, ToDoubleFunction<RemainingBudget> value) {
    gauge("tidemark.budget." + name, help, "calls", value, "window", window);
  }

  private void gauge(
      String name, String help, @Nullable String unit, ToDoubleFunction<RemainingBudget> value, String... labels) {
    meters.with(labels).gauge(name, unit, help, () -> value(value));
  }

  private double value(ToDoubleFunction<RemainingBudget> value) {
    var now = budget;
    return now == null ? Double.NaN : value.applyAsDouble(now.get());
  }
}
