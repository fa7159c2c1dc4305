package io.tidemark.http.server;

import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/** Markets for tests: one function for all 13 methods. */
public final class StubMarketData {
  private StubMarketData() {}

  /** A market that answers with what the function returns, or fails with what it throws. */
  public static MarketData answering(Instant at, Function<Query<?>, Object> values) {
    return (MarketData) Proxy.newProxyInstance(
        StubMarketData.class.getClassLoader(),
        new Class<?>[] {MarketData.class},
        (proxy, method, arguments) -> Mono.fromCallable(() -> answer(at, (Query<?>) arguments[0], values)));
  }

  @SuppressWarnings("unchecked")
  private static <A> Answer<A> answer(Instant at, Query<A> query, Function<Query<?>, Object> values) {
    return new Answer<>(query, Body.of((A) values.apply(query)), "", at, at, at, null, null, null);
  }
}
