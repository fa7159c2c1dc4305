package io.tidemark.serve.web;

import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.tidemark.http.server.ConnectionLimits;
import io.tidemark.http.server.ReloadedTls;
import io.tidemark.http.server.ReloadedTls.TlsFiles;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.netty.ChannelBindException;
import reactor.netty.DisposableServer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRoutes;
import reactor.netty.resources.LoopResources;

/** An HTTP server with dedicated event loops, so that slow clients of one server do not delay another server. */
public final class WebServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);

  /** Maximum time that {@link #close} waits for requests in flight, and again for the connections to close. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final DisposableServer server;
  private final ChannelGroup connections;
  private final Disposable tls;
  private final LoopResources loops;

  private WebServer(DisposableServer server, ChannelGroup connections, Disposable tls, LoopResources loops) {
    this.loops = loops;
    this.server = server;
    this.connections = connections;
    this.tls = tls;
  }

  /**
   * The address and port on which a server listens, and its connection limits.
   *
   * @param name section of the configuration, for messages
   * @param port 0 for any free port
   * @param limits limits on the connections of the server
   * @param tls files for TLS; null to serve without TLS
   */
  public record ListenAddress(
      String name, String address, int port, ConnectionLimits limits, @Nullable TlsFiles tls) {
    public ListenAddress {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException(name + ".port: must be 0 (any free port) to 65535, got " + port);
      }
    }
  }

  /**
   * Starts a server.
   *
   * @throws IllegalStateException if the port is in use or the address does not belong to this machine
   * @throws IllegalArgumentException if the TLS files cannot be used
   */
  public static WebServer start(ListenAddress listen, List<Consumer<HttpServerRoutes>> routes, AccessControl access,
      ConnectionListener listener) {
    var all = HttpServerRoutes.newRoutes();
    routes.forEach(some -> some.accept(all));
    var tls = listen.tls() == null ? null : new ReloadedTls(listen.name(), listen.tls());
    var connections = new DefaultChannelGroup(listen.name(), GlobalEventExecutor.INSTANCE, true);
    var loops = LoopResources.create(listen.name(), LoopResources.DEFAULT_IO_WORKER_COUNT, true);
    var headers = new SecurityHeaders(tls != null, access.needsKey());
    var server =
        listen.limits().applyTo(HttpServer.create(), listen.name())
            .doOnChannelInit((observer, channel, remote) -> channel.pipeline()
                .addAfter(NettyPipeline.HttpCodec, "tidemark.headers", headers)
                .addAfter(NettyPipeline.HttpCodec, "tidemark.times", new ConnectionTimer(listener)))
            .runOn(loops)
            .host(listen.address())
            .port(listen.port())
            .channelGroup(connections)
            .handle((request, response) -> access.guard(request, response, all));
    if (tls != null) {
      server = server.secure(spec -> spec.sslContext((SslContext) tls));
    }
    try {
      return new WebServer(
          server.bindNow(), connections, tls == null ? Disposables.disposed() : tls.follow(), loops);
    } catch (ChannelBindException e) {
      loops.dispose();
      throw new IllegalStateException(
          ("%1$s: cannot listen on %2$s port %3$d (%4$s). Stop the program that listens there, or change %1$s.port or"
              + " %1$s.address")
              .formatted(listen.name(), listen.address(), listen.port(),
                  e.getCause() == null ? e : e.getCause().getMessage()),
          e);
    } catch (RuntimeException e) {
      loops.dispose();
      throw e;
    }
  }

  /** Returns a stage that completes when the server no longer listens. */
  public CompletionStage<?> ended() {
    return server.onDispose().toFuture();
  }

  public int port() {
    return server.port();
  }

  /**
   * Closes the server and all its connections. Idle connections are closed immediately, because a client that reuses
   * an idle connection would otherwise talk to the ended server instead of the next server on the same port.
   */
  @Override
  public void close() {
    tls.dispose();
    try {
      server.disposeNow(CLOSE_TIMEOUT);
    } catch (IllegalStateException e) {
      LOG.debug("some requests were not answered within {} s", CLOSE_TIMEOUT.toSeconds(), e);
    }
    connections.close().awaitUninterruptibly(CLOSE_TIMEOUT.toMillis());
    loops.dispose();
  }
}
