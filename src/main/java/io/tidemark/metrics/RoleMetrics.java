package io.tidemark.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** Whether a derived role (streams, receivers, web) runs in this process, and how often it failed. */
public final class RoleMetrics {

  private final Counter failures;
  private volatile int up;

  RoleMetrics(String role, String source, MeterRegistry registry) {
    Gauge.builder("tidemark.role.up", () -> up)
        .description("1 while the role runs in this process, 0 while it waits for its restart.")
        .tag("role", role)
        .tag("source", source)
        .register(registry);
    failures = Counter.builder("tidemark.role.failures")
        .description("How often the role failed, at its start or later.")
        .tag("role", role)
        .tag("source", source)
        .register(registry);
  }

  public void started() {
    up = 1;
  }

  public void failed() {
    up = 0;
    failures.increment();
  }
}
