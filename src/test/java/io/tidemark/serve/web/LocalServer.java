package io.tidemark.serve.web;

import io.tidemark.http.server.ConnectionLimits;
import io.tidemark.serve.web.WebServer.ListenAddress;
import java.util.List;
import java.util.function.Consumer;
import reactor.netty.http.server.HttpServerRoutes;

/** Servers for tests, whose connections nobody hears of. */
public final class LocalServer {

  /** Any free port of this machine. */
  static final ListenAddress ADDRESS = address("127.0.0.1", 0);

  static final ConnectionListener UNHEARD = new ConnectionListener() {};

  private LocalServer() {}

  static ListenAddress address(String address, int port) {
    return new ListenAddress("web", address, port, limits(1_000), null);
  }

  /** One client address may have half of the connections. */
  static ConnectionLimits limits(int connections) {
    return ConnectionLimits.of(connections, Math.ceilDiv(connections, 2));
  }

  /** Starts a server whose routes are open to all. */
  public static WebServer start(List<Consumer<HttpServerRoutes>> routes) {
    return start(ADDRESS, routes);
  }

  static WebServer start(ListenAddress address, List<Consumer<HttpServerRoutes>> routes) {
    return WebServer.start(address, routes, AccessControl.open(), UNHEARD);
  }
}
