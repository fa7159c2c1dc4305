package io.tidemark.http;

import io.tidemark.market.Answer;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import reactor.core.publisher.Mono;

/** Answers of a market as bodies. */
final class Rendering {
  private Rendering() {}

  /** Fails as the market fails. */
  static <A> Mono<Reply> answer(MarketData market, Query<A> query, NameStyle names, String id) {
    return query.askOf(market).map(answer -> reply(query, answer, names, id));
  }

  private static <A> Reply reply(Query<A> query, Answer<A> answer, NameStyle names, String id) {
    var body = Endpoints.<A, Query<A>>of(query).encode(query, answer.body().read(), names);
    Instant asOf = answer.asOf() == null ? answer.receivedAt() : answer.asOf();
    return new Reply(id, 200, Reply.JSON, ByteBuffer.wrap(body), Map.of(), asOf, answer.maxAge());
  }
}
