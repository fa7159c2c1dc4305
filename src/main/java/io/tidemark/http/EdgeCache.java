package io.tidemark.http;

import io.tidemark.market.MarketData;
import io.tidemark.market.Operation;
import io.tidemark.market.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * The edge of a content network before a market: each URL is filled anew once a period, at a phase of its own, and in
 * between shows what the market was when it was filled.
 */
public final class EdgeCache implements Replies {
  /** @param market the market as it was at an instant */
  public EdgeCache(
      Function<Instant, MarketData> market,
      Function<Operation, Duration> period,
      NameStyle names,
      InstantSource clock) {}

  @Override
  public Mono<Reply> to(Query<?> query) {
    throw new UnsupportedOperationException();
  }
}
