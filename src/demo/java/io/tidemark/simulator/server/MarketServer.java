package io.tidemark.simulator.server;

import io.tidemark.http.server.ConnectionLimits;
import io.tidemark.http.server.MarketRoutes;
import java.net.BindException;
import java.net.URI;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** An HTTP server for {@link SimulatedRoutes} alone, used by the simulator and by tests. */
public final class MarketServer implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 1_000;
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final DisposableServer server;
  private final URI baseUrl;

  private MarketServer(DisposableServer server, URI baseUrl) {
    this.server = server;
    this.baseUrl = baseUrl;
  }

  /**
   * Starts a server on the given port, or on any free port if {@code port} is 0. If the port is taken, the Mono fails
   * with a {@link BindException} that says what to do.
   */
  public static Mono<MarketServer> start(String address, int port, SimulatedRoutes routes) {
    return start(address, port, routes,
        ConnectionLimits.of(MAX_CONNECTIONS, MAX_CONNECTIONS));
  }

  static Mono<MarketServer> start(String address, int port, SimulatedRoutes routes, ConnectionLimits limits) {
    return limits.applyTo(HttpServer.create(), "the simulated market")
        .host(address)
        .port(port)
        .handle(routes)
        .bind()
        .onErrorMap(ChannelBindException.class, e -> portTaken(address, port, e))
        .map(server -> new MarketServer(server, URI.create("http://"
            + (address.contains(":") ? "[" + address + "]" : address) + ":" + server.port() + MarketRoutes.PREFIX)));
  }

  /** Returns the base URL that clients use. */
  public URI baseUrl() {
    return baseUrl;
  }

  @Override
  public void close() {
    server.disposeNow(CLOSE_TIMEOUT);
  }

  private static BindException portTaken(String address, int port, ChannelBindException cause) {
    var failure = new BindException("cannot listen on " + address + ":" + port + " (" + cause.getMessage()
        + "): stop what uses that port, or choose another (0 takes any free one)");
    failure.initCause(cause);
    return failure;
  }
}
