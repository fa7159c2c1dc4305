package io.tidemark.simulator.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.http.server.FailureReplies;
import io.tidemark.http.server.HttpReply;
import io.tidemark.http.server.QueryResponder;
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
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The cache of a content delivery network in front of a market. The cache fetches the body of each URL once a period
 * and serves that body in between. In a cache that is filled on a schedule, the period of a URL begins at a time that
 * depends on the URL alone. So a response depends only on URL and time, and evicting a body changes nothing. In a cache
 * that is filled on request, the first request after a body expired fetches a new body. Failures are not cached.
 */
public final class EdgeCache implements QueryResponder {
  private static final int MAX_BODIES = 1_000;

  /** The event upon which a cache fetches the body of a URL again. */
  public enum CacheRefresh {
    /**
     * Once a period, at times that do not depend on requests. The body is computed for the time at which the period
     * began, although only when it is first requested.
     */
    ON_SCHEDULE,
    /**
     * With the first request that comes a period or more after the body was last fetched, or that comes when the
     * cache holds no body.
     */
    ON_REQUEST
  }

  private final CacheRefresh kind;
  private final Function<Instant, MarketData> market;
  private final Function<Operation, Duration> period;
  private final FieldNaming naming;
  private final InstantSource clock;
  private final Cache<String, HttpReply> bodies = Caffeine.newBuilder().maximumSize(MAX_BODIES).build();

  /**
   * Creates a cache that is filled on a schedule.
   *
   * @param market returns the market at an instant
   */
  public EdgeCache(Function<Instant, MarketData> market, Function<Operation, Duration> period, FieldNaming naming,
      InstantSource clock) {
    this(CacheRefresh.ON_SCHEDULE, market, period, naming, clock);
  }

  /**
   * Creates a cache.
   *
   * @param market returns the market at an instant
   */
  public EdgeCache(CacheRefresh kind, Function<Instant, MarketData> market, Function<Operation, Duration> period,
      FieldNaming naming, InstantSource clock) {
    this.kind = kind;
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
      var cached = bodies.getIfPresent(url);
      var filledAt = kind == CacheRefresh.ON_SCHEDULE
          ? filledAt(url, refresh, clock.instant())
          : filledAt(cached, refresh, clock.instant());
      return cached != null && cached.asOf().equals(filledAt) ? Mono.just(cached) : fill(query, url, refresh, filledAt);
    });
  }

  private Mono<HttpReply> fill(Query<?> query, String url, Duration refresh, Instant filledAt) {
    return HttpReply.of(market.apply(filledAt), query, naming)
        .map(reply -> new HttpReply(name(url + "@" + filledAt).toString(), reply.status(), reply.contentType(),
            reply.content(), reply.headers(), filledAt, refresh))
        .doOnNext(reply -> bodies.put(url, reply))
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(query, failure, clock.instant())));
  }

  /**
   * Returns the time at which the body that is served now was fetched, or {@code now} if it has to be fetched, for a
   * cache that is filled on request.
   */
  private static Instant filledAt(@Nullable HttpReply cached, Duration refresh, Instant now) {
    return cached == null || !now.isBefore(cached.asOf().plus(refresh)) ? now : cached.asOf();
  }

  /** Returns the time at which the body that is served now was fetched, for a cache that is filled on a schedule. */
  static Instant filledAt(String url, Duration refresh, Instant now) {
    long millis = Math.max(1, refresh.toMillis());
    long phase = Math.floorMod(name(url).getMostSignificantBits(), millis);
    return Instant.ofEpochMilli(now.toEpochMilli() - Math.floorMod(now.toEpochMilli() - phase, millis));
  }

  private static UUID name(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
