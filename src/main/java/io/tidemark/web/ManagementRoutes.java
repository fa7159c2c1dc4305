package io.tidemark.web;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import java.util.function.Consumer;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;

/**
 * Routes for operators: liveness, readiness and metrics. Responds with 503 if a part is down.
 *
 * @param live down where only a restart helps
 * @param ready up where the program works, or stands by to work
 * @param metrics in Prometheus' text format
 */
public record ManagementRoutes(Supplier<Health> live, Supplier<Health> ready, Supplier<String> metrics)
    implements Consumer<HttpServerRoutes> {

  private static final String JSON = "application/json";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  @Override
  public void accept(HttpServerRoutes routes) {
    routes
        .get("/health/live", (request, response) -> health(response, live))
        .get("/health/ready", (request, response) -> health(response, ready))
        .get("/metrics", (request, response) -> offLoop(metrics).flatMap(text -> send(response, PROMETHEUS, text)));
  }

  private static Mono<Void> health(HttpServerResponse response, Supplier<Health> health) {
    return offLoop(health).flatMap(
        found -> send(response.status(found.status() == Health.HealthStatus.DOWN ? 503 : 200), JSON, found.json()));
  }

  /** The value may take its time: it is computed outside of the event loop. */
  private static <T> Mono<T> offLoop(Supplier<T> value) {
    return Mono.fromSupplier(value).subscribeOn(Schedulers.boundedElastic());
  }

  private static Mono<Void> send(HttpServerResponse response, String type, String text) {
    return response
        .header(HttpHeaderNames.CONTENT_TYPE, type)
        .header(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
        .sendString(Mono.just(text))
        .then();
  }
}
