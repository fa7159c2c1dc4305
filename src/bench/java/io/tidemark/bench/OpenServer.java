package io.tidemark.bench;

import io.tidemark.http.server.ConnectionLimits;
import io.tidemark.serve.web.AccessControl;
import io.tidemark.serve.web.ConnectionListener;
import io.tidemark.serve.web.WebServer;
import java.util.List;
import java.util.function.Consumer;
import reactor.netty.http.server.HttpServerRoutes;

/** A server whose routes are open to all, on any free port, and whose connections nobody hears of. */
final class OpenServer {

  private OpenServer() {}

  static WebServer start(String host, int connections, Consumer<HttpServerRoutes> routes) {
    return WebServer.start(
        new WebServer.ListenAddress("bench", host, 0, ConnectionLimits.of(connections, connections), null),
        List.of(routes), AccessControl.open(), new ConnectionListener() {});
  }
}
