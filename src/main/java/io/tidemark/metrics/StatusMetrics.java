package io.tidemark.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.tidemark.ledger.LedgerFailure;
import io.tidemark.market.Failure;
import java.util.List;
import java.util.function.Supplier;

/** What a source does in this process, and what ended its lives. */
final class StatusMetrics {

  private static final List<String> ALL =
      List.of("standby", "starting", "restoring", "polling", "degraded", "stopped", "given-up");

  private final LabelledCounter failures;
  private volatile Supplier<String> status = () -> "standby";

  StatusMetrics(String source, MeterRegistry registry) {
    failures = new LabelledCounter(registry, source, "tidemark.source.ends",
        "Lives of the source that a failure ended, by which.");
    for (var each : ALL) {
      Gauge.builder("tidemark.source.status", () -> status.get().equals(each) ? 1 : 0)
          .description("1 for what the source does in this process, 0 for the rest.")
          .tag("source", source)
          .tag("status", each)
          .register(registry);
    }
    failures.registerAtZero("reason", "other");
  }

  void is(Supplier<String> now) {
    status = now;
  }

  void sessionFailed(Throwable failure) {
    failures.add(1, "reason", reason(failure));
  }

  private static String reason(Throwable failure) {
    return switch (failure) {
      case LedgerFailure.Fenced fenced -> "fenced";
      case LedgerFailure.TimedOut timedOut -> "timed_out";
      case LedgerFailure.Refused refused -> "refused";
      case Failure asked -> PollOutcome.of(asked, "other");
      default -> "other";
    };
  }
}
