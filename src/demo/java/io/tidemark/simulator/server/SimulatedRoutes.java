package io.tidemark.simulator.server;

import io.netty.handler.codec.http.HttpMethod;
import io.tidemark.http.server.FailureReplies;
import io.tidemark.http.server.HttpReply;
import io.tidemark.http.server.MarketRoutes;
import io.tidemark.http.server.QueryResponder;
import io.tidemark.simulator.server.ResponseJournal.ServedResponse;
import java.time.InstantSource;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The routes of a simulated service: the {@link MarketRoutes} under their usual prefix, but the key of each request is
 * checked, its call is counted, and each response is appended to a journal before it is sent.
 *
 * @param acceptsKey tests whether requests with a key are answered; the key is empty if the request has no key
 */
public record SimulatedRoutes(Predicate<String> acceptsKey, CallCounter calls, MarketRoutes routes,
    ResponseJournal journal) implements BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {

  /** Counts the calls of each key. */
  public interface CallCounter {

    /**
     * Counts a call. Returns the response to send if the call is refused or is itself a request for a report on the key,
     * or null if the call is to be answered as usual.
     */
    @Nullable
    HttpReply count(String key, String uri);
  }

  public SimulatedRoutes(Predicate<String> acceptsKey, CallCounter calls, QueryResponder responder,
      ResponseJournal journal, InstantSource clock) {
    this(acceptsKey, calls, new MarketRoutes(MarketRoutes.PREFIX, responder, clock), journal);
  }

  /** Creates routes that do not count calls. */
  public SimulatedRoutes(
      Predicate<String> acceptsKey, QueryResponder responder, ResponseJournal journal, InstantSource clock) {
    this(acceptsKey, (key, uri) -> null, responder, journal, clock);
  }

  @Override
  public Publisher<Void> apply(HttpServerRequest request, HttpServerResponse response) {
    var answered = Mono.defer(() -> reply(request)).onErrorResume(e -> Mono.just(routes.unexpected(request, e)));
    return answered.flatMap(reply -> {
      journal.append(new ServedResponse(
          reply.id(), request.uri(), reply.status(), reply.asOf(), routes.clock().instant(), reply.body()));
      return routes.send(reply, request, response);
    });
  }

  private Mono<HttpReply> reply(HttpServerRequest request) {
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      return routes.reply(request);
    }
    var key = request.requestHeaders().get(MarketRoutes.KEY_HEADER, "");
    if (!acceptsKey.test(key)) {
      var message = key.isEmpty()
          ? "API Key Missing. Send it in the header " + MarketRoutes.KEY_HEADER + "."
          : "Invalid API Key.";
      return Mono.just(FailureReplies.badKey(message, routes.clock().instant()));
    }
    var reply = calls.count(key, request.uri());
    return reply == null ? routes.reply(request) : Mono.just(reply);
  }
}
