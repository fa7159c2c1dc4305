package io.tidemark.cli.wiring;

import io.tidemark.topic.OpenTransactionMonitor;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;

/** Whether readers of a source's topics get past all transactions. */
record OpenTransactionHealthCheck(String source, OpenTransactionMonitor monitor) implements HealthChecks.HealthCheck {

  /** Always up: a restart would wait for the same transaction. */
  @Override
  public HealthPart live() {
    return part(HealthStatus.UP);
  }

  @Override
  public HealthPart ready() {
    return part(monitor.problem() == null ? HealthStatus.UP : HealthStatus.DEGRADED);
  }

  private HealthPart part(HealthStatus status) {
    var problem = monitor.problem();
    return new HealthPart("transactions of " + source, status, problem == null ? "end" : problem);
  }
}
