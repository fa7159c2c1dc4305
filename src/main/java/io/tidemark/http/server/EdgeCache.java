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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The edge of a content network before a market: each URL is filled anew once a period, at a phase of its own, and in
 * between shows what the market was when it was filled. What it shows is a function of URL and time alone, so that
 * forgetting a body changes nothing. Failures are not kept.
 */
public final class EdgeCache implements QueryResponder {
  private static final int BODIES = 1_000;

  private final Function<Instant, MarketData> market;
  private final Function<Operation, Duration> period;
  private final FieldNaming names;
  private final InstantSource clock;
  private final Map<String, HttpReply> bodies = new LinkedHashMap<>(BODIES, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, HttpReply> eldest) {
      return size() > BODIES;
    }
  };

  /** @param market the market as it was at an instant */
  public EdgeCache(
      Function<Instant, MarketData> market,
      Function<Operation, Duration> period,
      FieldNaming names,
      InstantSource clock) {
    this.market = market;
    this.period = period;
    this.names = names;
    this.clock = clock;
  }

  @Override
  public Mono<HttpReply> respond(Query<?> query) {
    return Mono.defer(() -> {
      var url = Endpoints.pathAndQuery(query);
      var refresh = period.apply(query.operation());
      var filledAt = filledAt(url, refresh, clock.instant());
      var kept = cached(url);
      return kept != null && kept.asOf().equals(filledAt) ? Mono.just(kept) : fill(query, url, refresh, filledAt);
    });
  }

  private Mono<HttpReply> fill(Query<?> query, String url, Duration refresh, Instant filledAt) {
    return Rendering.answer(market.apply(filledAt), query, names, name(url + "@" + filledAt).toString())
        .map(reply -> new HttpReply(reply.id(), reply.status(), reply.contentType(), reply.body(), reply.headers(),
            filledAt, refresh))
        .doOnNext(reply -> cache(url, reply))
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(query, failure, clock.instant())));
  }

  private synchronized @Nullable HttpReply cached(String url) {
    return bodies.get(url);
  }

  private synchronized void cache(String url, HttpReply reply) {
    bodies.put(url, reply);
  }

  /** When the body that is shown now was filled. */
  static Instant filledAt(String url, Duration refresh, Instant now) {
    long millis = Math.max(1, refresh.toMillis());
    long phase = Math.floorMod(name(url).getMostSignificantBits(), millis);
    return Instant.ofEpochMilli(now.toEpochMilli() - Math.floorMod(now.toEpochMilli() - phase, millis));
  }

  private static UUID name(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8));
  }
}
