package io.tidemark.cli.wiring;

import io.tidemark.stream.StreamApplication;
import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import java.util.Locale;

/** How the stream application of a source fares in this process. */
final class StreamHealthCheck {

  private final String name;
  private final StreamApplication app;
  private volatile boolean ran;

  StreamHealthCheck(String source, StreamApplication app) {
    this.name = "streams of " + source;
    this.app = app;
  }

  /** Down where it is dead: it does not come back by itself. */
  HealthPart live() {
    return switch (app.kafka().state()) {
      case ERROR, PENDING_ERROR, NOT_RUNNING -> part(HealthStatus.DOWN);
      default -> part(HealthStatus.UP);
    };
  }

  /** Partitions are shared out anew with every instance that comes or goes: that is no reason to send readers away. */
  HealthPart ready() {
    return switch (app.kafka().state()) {
      case RUNNING -> {
        ran = true;
        yield part(HealthStatus.UP);
      }
      case CREATED, REBALANCING -> part(ran ? HealthStatus.DEGRADED : HealthStatus.DOWN);
      default -> part(HealthStatus.DOWN);
    };
  }

  private HealthPart part(HealthStatus condition) {
    return new HealthPart(name, condition, app.kafka().state().name().toLowerCase(Locale.ROOT).replace('_', ' '));
  }
}
