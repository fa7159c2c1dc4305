package io.tidemark.cli;

import io.tidemark.cli.meter.Meters;
import io.tidemark.cli.settings.ManagementSettings;
import io.tidemark.web.ManagementRoutes;
import io.tidemark.web.WebServer;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listener for those who run the program. */
final class Management {

  private static final Logger LOG = LoggerFactory.getLogger(Management.class);

  private Management() {}

  /** The port it listens on; 0 where nobody asked for it and the usual one is taken. */
  static int start(ManagementSettings settings, Checks checks, Meters meters, Running running) {
    var where = new WebServer.Settings("management", settings.address(), settings.port());
    var routes = new ManagementRoutes(checks::live, checks::ready, meters::scrape);
    try {
      return running.add("the management port", WebServer.start(where, List.of(routes))).port();
    } catch (IllegalStateException e) {
      if (settings.asked()) {
        throw e;
      }
      LOG.warn("{}; this process has no health and no metrics", e.getMessage());
      return 0;
    }
  }
}
