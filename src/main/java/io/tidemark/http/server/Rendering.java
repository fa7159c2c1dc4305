package io.tidemark.http.server;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
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
  static <A> Mono<HttpReply> answer(MarketData market, Query<A> query, FieldNaming names, String id) {
    return query.askOf(market).map(answer -> reply(query, answer, names, id));
  }

  private static <A> HttpReply reply(Query<A> query, Answer<A> answer, FieldNaming names, String id) {
    var body = Endpoints.<A, Query<A>>of(query).encode(query, answer.body().read(), names);
    Instant asOf = answer.asOf() == null ? answer.receivedAt() : answer.asOf();
    return new HttpReply(id, 200, HttpReply.JSON, ByteBuffer.wrap(body), Map.of(), asOf, answer.maxAge());
  }
}
