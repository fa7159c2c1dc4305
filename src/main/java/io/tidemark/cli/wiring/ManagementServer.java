package io.tidemark.cli.wiring;

import io.tidemark.config.ListenerSettings;
import io.tidemark.metrics.ProgramMetrics;
import io.tidemark.web.ManagementRoutes;
import io.tidemark.web.WebServer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listener for those who run the program. */
final class ManagementServer {

  private static final Logger LOG = LoggerFactory.getLogger(ManagementServer.class);

  private ManagementServer() {}

  /** The port it listens on; 0 where nobody asked for it and the usual one is taken. */
  static int start(ListenerSettings settings, HealthChecks checks, ProgramMetrics meters, StartedParts running) {
    var where = new WebServer.ListenAddress("management", settings.address(), settings.port());
    var routes = new ManagementRoutes(checks::live, checks::ready, meters::scrape);
    try {
      return running.add("the management port", WebServer.start(where, List.of(routes))).port();
    } catch (IllegalStateException e) {
      if (settings.configured()) {
        throw e;
      }
      LOG.warn("{}; this process has no health and no metrics", e.getMessage());
      return 0;
    }
  }
}
