package io.tidemark.cli.wiring;

import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;

/**
 * The health of a derived role in a process that also polls: at worst degraded, because neither a restart of the process
 * nor taking it out of service would help what it captures.
 */
record DerivedHealthCheck(HealthChecks.HealthCheck role) implements HealthChecks.HealthCheck {

  @Override
  public HealthPart live() {
    var part = role.live();
    return new HealthPart(part.name(), HealthStatus.UP, part.message());
  }

  @Override
  public HealthPart ready() {
    var part = role.ready();
    return part.status() == HealthStatus.DOWN
        ? new HealthPart(part.name(), HealthStatus.DEGRADED, part.message())
        : part;
  }
}
