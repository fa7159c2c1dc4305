package io.tidemark.http;

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
public final class EdgeCache implements Replies {
  private static final int BODIES = 1_000;

  private final Function<Instant, MarketData> market;
  private final Function<Operation, Duration> period;
  private final NameStyle names;
  private final InstantSource clock;
  private final Map<String, Reply> bodies = new LinkedHashMap<>(BODIES, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, Reply> eldest) {
      return size() > BODIES;
    }
  };

  /** @param market the market as it was at an instant */
  public EdgeCache(
      Function<Instant, MarketData> market,
      Function<Operation, Duration> period,
      NameStyle names,
      InstantSource clock) {
    this.market = market;
    this.period = period;
    this.names = names;
    this.clock = clock;
  }

  @Override
  public Mono<Reply> to(Query<?> query) {
    return Mono.defer(() -> {
      var url = Endpoints.urlOf(query);
      var refresh = period.apply(query.operation());
      var filledAt = filledAt(url, refresh, clock.instant());
      var kept = kept(url);
      return kept != null && kept.asOf().equals(filledAt) ? Mono.just(kept) : fill(query, url, refresh, filledAt);
    });
  }

  private Mono<Reply> fill(Query<?> query, String url, Duration refresh, Instant filledAt) {
    return Rendering.answer(market.apply(filledAt), query, names, name(url + "@" + filledAt).toString())
        .map(reply -> new Reply(reply.id(), reply.status(), reply.contentType(), reply.body(), reply.headers(),
            filledAt, refresh))
        .doOnNext(reply -> keep(url, reply))
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReply.of(query, failure, clock.instant())));
  }

  private synchronized @Nullable Reply kept(String url) {
    return bodies.get(url);
  }

  private synchronized void keep(String url, Reply reply) {
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
