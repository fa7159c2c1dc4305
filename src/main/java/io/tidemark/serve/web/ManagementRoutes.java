package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.tidemark.http.server.HttpReply;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * Routes for operators: startup, liveness, readiness and metrics. A health route responds with 503 if a part is down,
 * but with 200 if a part is degraded.
 *
 * <p>Startup does not wait for a restore, because a startup probe that ends the process during a long restore makes
 * it restore for ever. Liveness cannot replace startup, because it is up from the first second. In return, no probe
 * restarts a restore that hangs. The alert {@code TidemarkRestoreSlow} reports it.
 *
 * @param started health that is down until the program has started, which means that the topics exist and each role
 *     has begun, and again while the program stops
 * @param live health that is down if a restart may help
 * @param ready health that is down if the program neither works nor is on standby, and degraded if it has a problem
 *     with which it can go on
 * @param metrics metrics in Prometheus' text format
 */
public record ManagementRoutes(
    Supplier<Health> started, Supplier<Health> live, Supplier<Health> ready, Supplier<String> metrics)
    implements Consumer<HttpServerRoutes> {

  /** Dedicated threads, so that clients that open feeds do not delay health checks. */
  private static final Scheduler WORKERS = Schedulers.newBoundedElastic(4, 1_000, "management-worker", 60, true);

  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  @Override
  public void accept(HttpServerRoutes routes) {
    add(routes, "/health/started", started);
    add(routes, "/health/live", live);
    add(routes, "/health/ready", ready);
    routes.get("/metrics",
        (request, response) -> offLoop(metrics).flatMap(text -> sendMetrics(request, response, text)));
  }

  private static void add(HttpServerRoutes routes, String path, Supplier<Health> health) {
    routes.get(path, (request, response) -> health(response, health))
        .head(path, (request, response) -> health(response, health));
  }

  private static Mono<Void> health(HttpServerResponse response, Supplier<Health> health) {
    return offLoop(health).flatMap(
        found -> AccessControl.send(
            response, found.status() == Health.HealthStatus.DOWN ? 503 : 200, JsonBody.MEDIA_TYPE, found.json()));
  }

  /** Sends metrics, compressed if the client accepts gzip, because the text is large and repetitive. */
  private static Mono<Void> sendMetrics(HttpServerRequest request, HttpServerResponse response, String text) {
    if (!HttpReply.acceptsGzip(request)) {
      return AccessControl.send(response, 200, PROMETHEUS, text);
    }
    return response
        .header(HttpHeaderNames.CONTENT_TYPE, PROMETHEUS)
        .header(HttpHeaderNames.CONTENT_ENCODING, HttpHeaderValues.GZIP)
        .header(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING)
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .sendByteArray(
            Mono.fromSupplier(() -> HttpReply.gzip(text.getBytes(UTF_8))).subscribeOn(WORKERS))
        .then();
  }

  /** Computes a value outside of the event loop, because the computation may take long. */
  private static <T> Mono<T> offLoop(Supplier<T> value) {
    return Mono.fromSupplier(value).subscribeOn(WORKERS);
  }
}
