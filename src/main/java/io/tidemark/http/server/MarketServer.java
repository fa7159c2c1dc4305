package io.tidemark.http.server;

import java.net.BindException;
import java.net.URI;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** An HTTP server of its own that serves {@link MarketRoutes}; for the simulator and for tests. */
public final class MarketServer implements AutoCloseable {
  private static final Duration IDLE = Duration.ofMinutes(1);
  private static final Duration CLOSING = Duration.ofSeconds(3);

  private final DisposableServer server;
  private final URI baseUrl;

  private MarketServer(DisposableServer server, URI baseUrl) {
    this.server = server;
    this.baseUrl = baseUrl;
  }

  /**
   * Binds; port 0 takes any free one. Fails with a {@link BindException} that says what to do where the port is taken.
   */
  public static Mono<MarketServer> start(String address, int port, MarketRoutes routes) {
    return HttpServer.create()
        .host(address)
        .port(port)
        .idleTimeout(IDLE)
        .handle(routes)
        .bind()
        .onErrorMap(ChannelBindException.class, e -> taken(address, port, e))
        .map(server -> new MarketServer(server, routes.baseUrl(address, server.port())));
  }

  public int port() {
    return server.port();
  }

  /** The base_url that clients use. */
  public URI baseUrl() {
    return baseUrl;
  }

  @Override
  public void close() {
    server.disposeNow(CLOSING);
  }

  private static BindException taken(String address, int port, ChannelBindException cause) {
    var taken = new BindException("cannot listen on " + address + ":" + port + " (" + cause.getMessage()
        + "): stop what uses that port, or choose another (0 takes any free one)");
    taken.initCause(cause);
    return taken;
  }
}
