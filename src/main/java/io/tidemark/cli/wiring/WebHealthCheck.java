package io.tidemark.cli.wiring;

import io.tidemark.web.Health.HealthPart;
import io.tidemark.web.Health.HealthStatus;
import io.tidemark.web.WebServer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The health of the web server in this process.
 *
 * @param server null while it waits for its restart
 * @param problem why it waits
 */
record WebHealthCheck(Supplier<@Nullable WebServer> server, Supplier<@Nullable String> problem)
    implements HealthChecks.HealthCheck {

  @Override
  public HealthPart live() {
    var running = server.get();
    return running == null
        ? new HealthPart("web", HealthStatus.DOWN, "restarts: " + problem.get())
        : new HealthPart("web", HealthStatus.UP, "listens on port " + running.port());
  }
}
