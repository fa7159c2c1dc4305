package io.tidemark.cli.wiring;

import io.tidemark.stream.StreamApplication;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.util.Locale;

/** The health of a source's stream application in this process. */
final class StreamHealthCheck implements HealthChecks.HealthCheck {

  private final String name;
  private final StreamApplication app;
  private volatile boolean ran;

  StreamHealthCheck(String source, StreamApplication app) {
    this.name = "streams of " + source;
    this.app = app;
  }

  /** Down when it has ended: it does not restart by itself. */
  @Override
  public HealthPart live() {
    return switch (app.kafka().state()) {
      case ERROR, PENDING_ERROR, NOT_RUNNING -> part(HealthStatus.DOWN);
      default -> part(HealthStatus.UP);
    };
  }

  /** A rebalance after the first start only degrades: it happens with every instance that joins or leaves. */
  @Override
  public HealthPart ready() {
    return switch (app.kafka().state()) {
      case RUNNING -> {
        ran = true;
        yield part(HealthStatus.UP);
      }
      case CREATED, REBALANCING -> part(ran ? HealthStatus.DEGRADED : HealthStatus.DOWN);
      default -> part(HealthStatus.DOWN);
    };
  }

  private HealthPart part(HealthStatus status) {
    return new HealthPart(name, status, app.kafka().state().name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
