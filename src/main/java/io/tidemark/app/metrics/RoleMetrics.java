package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Metrics of a derived role (streams, receivers, web): whether it runs in this process, and how often it failed. */
public final class RoleMetrics {

  private final Counter failures;
  private volatile int up;

  RoleMetrics(String role, String source, MeterRegistry registry) {
    var meters = MeterFactory.ofSource(source, registry).with("role", role);
    meters.gauge("tidemark.role.up", "1 while the role runs in this process, 0 while it waits for its restart.",
        () -> up);
    failures = meters.counters("tidemark.role.failures", "How often the role failed, at its start or later.")
        .withTags();
  }

  public void started() {
    up = 1;
  }

  public void failed() {
    up = 0;
    failures.increment();
  }
}
