package io.tidemark.http.server;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The cache of a content delivery network in front of a market. Fills each URL once a period, at a phase of its own, and
 * serves that body in between. A response depends on URL and time alone, so evicting a body changes nothing. Failures
 * are not cached.
 */
public final class EdgeCache implements QueryResponder {
  private static final int MAX_BODIES = 1_000;

  private final Function<Instant, MarketData> market;
  private final Function<Operation, Duration> period;
  private final FieldNaming naming;
  private final InstantSource clock;
  private final Map<String, HttpReply> bodies =
      Collections.synchronizedMap(new LinkedHashMap<>(MAX_BODIES, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, HttpReply> eldest) {
          return size() > MAX_BODIES;
        }
      });

  /** @param market the market at an instant */
  public EdgeCache(Function<Instant, MarketData> market, Function<Operation, Duration> period, FieldNaming naming,
      InstantSource clock) {
    this.market = market;
    this.period = period;
    this.naming = naming;
    this.clock = clock;
  }

  @Override
  public Mono<HttpReply> respond(Query<?> query) {
    return Mono.defer(() -> {
      var url = Endpoints.pathAndQuery(query);
      var refresh = period.apply(query.operation());
      var filledAt = filledAt(url, refresh, clock.instant());
      var cached = bodies.get(url);
      return cached != null && cached.asOf().equals(filledAt) ? Mono.just(cached) : fill(query, url, refresh, filledAt);
    });
  }

  private Mono<HttpReply> fill(Query<?> query, String url, Duration refresh, Instant filledAt) {
    return HttpReply.of(market.apply(filledAt), query, naming, name(url + "@" + filledAt).toString())
        .map(reply -> reply.cached(filledAt, refresh))
        .doOnNext(reply -> bodies.put(url, reply))
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(query, failure, clock.instant())));
  }

  /** When the body that is served now was filled. */
  static Instant filledAt(String url, Duration refresh, Instant now) {
    long millis = Math.max(1, refresh.toMillis());
    long phase = Math.floorMod(name(url).getMostSignificantBits(), millis);
    return Instant.ofEpochMilli(now.toEpochMilli() - Math.floorMod(now.toEpochMilli() - phase, millis));
  }

  private static UUID name(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
