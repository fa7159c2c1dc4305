package io.tidemark.web;

import io.tidemark.http.server.ConnectionLimits;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRoutes;

/** An HTTP server for routes of several kinds. */
public final class WebServer implements AutoCloseable {

  private final DisposableServer server;

  private WebServer(DisposableServer server) {
    this.server = server;
  }

  /**
   * Where a server listens.
   *
   * @param name section of the configuration, for messages and metrics
   * @param port 0 for any free one
   * @param limits on its connections
   */
  public record ListenAddress(String name, String address, int port, ConnectionLimits limits) {
    public ListenAddress {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException(name + ".port: 0 (any free one) to 65535, not " + port);
      }
    }

    /** The web port, with the default limits. */
    public ListenAddress(String address, int port) {
      this("web", address, port, ConnectionLimits.of(ConnectionLimits.DEFAULT_CONNECTIONS));
    }
  }

  /** Throws {@link IllegalStateException} if the port is taken or the address is not of this machine. */
  public static WebServer start(ListenAddress listen, List<Consumer<HttpServerRoutes>> routes) {
    var server =
        listen.limits().applyTo(HttpServer.create(), listen.name())
            .host(listen.address())
            .port(listen.port())
            .metrics(true, path -> listen.name())
            .route(all -> routes.forEach(some -> some.accept(all)));
    try {
      return new WebServer(server.bindNow());
    } catch (ChannelBindException e) {
      throw new IllegalStateException(
          "%1$s: cannot listen on %2$s port %3$d (%4$s). Stop what listens there, or set %1$s.port or %1$s.address to another"
              .formatted(listen.name(), listen.address(), listen.port(),
                  e.getCause() == null ? e : e.getCause().getMessage()),
          e);
    }
  }

  /** Completes when the server does not listen any more. */
  public CompletionStage<?> ended() {
    return server.onDispose().toFuture();
  }

  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.disposeNow();
  }
}
