package io.tidemark.cli.wiring;

import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of a receiver of a source's alerts in this process.
 *
 * @param problem why its alerts cannot be read; null while they can
 */
record ReceiverHealthCheck(String source, String receiver, Supplier<@Nullable String> problem)
    implements HealthChecks.HealthCheck {

  /** Always up: delivery retries by itself, and a restart of the program does no more. */
  @Override
  public HealthPart live() {
    return part(HealthStatus.UP, problem.get());
  }

  @Override
  public HealthPart ready() {
    var reason = problem.get();
    return part(reason == null ? HealthStatus.UP : HealthStatus.DEGRADED, reason);
  }

  private HealthPart part(HealthStatus status, @Nullable String reason) {
    return new HealthPart("receiver " + receiver + " of " + source, status,
        reason == null ? "delivering" : "retrying: " + reason);
  }
}
