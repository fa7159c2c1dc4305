package io.tidemark.cli.wiring;

import io.tidemark.mirror.MirrorReader;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;

/** The health of a source's mirror in this process. It reads again by itself: no restart helps. */
record MirrorHealthCheck(String source, MirrorReader mirror) implements HealthChecks.HealthCheck {

  @Override
  public HealthPart live() {
    return part(HealthStatus.UP, message());
  }

  /** Down until it has read what was there at its start. */
  @Override
  public HealthPart ready() {
    if (!mirror.isCaughtUp()) {
      return part(HealthStatus.DOWN, message());
    }
    return part(mirror.problem() == null ? HealthStatus.UP : HealthStatus.DEGRADED, message());
  }

  private String message() {
    var problem = mirror.problem();
    if (problem != null) {
      return problem;
    }
    return mirror.isCaughtUp() ? "caught up" : "reading states";
  }

  private HealthPart part(HealthStatus status, String message) {
    return new HealthPart("mirror of " + source, status, message);
  }
}
