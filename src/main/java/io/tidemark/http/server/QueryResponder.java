package io.tidemark.http.server;

import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.time.InstantSource;
import java.util.UUID;
import reactor.core.publisher.Mono;

/** Whoever answers questions with bodies: a market as it is now, or an {@link EdgeCache} before one. */
public interface QueryResponder {
  /** The reply to a question; failures of the market are replies too, in the service's own shapes. */
  Mono<HttpReply> respond(Query<?> query);

  /** The market as it is now, each question asked anew. Age and max-age are those of the market's answers. */
  static QueryResponder of(MarketData market, FieldNaming names, InstantSource clock) {
    return query -> Rendering.answer(market, query, names, UUID.randomUUID().toString())
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(query, failure, clock.instant())));
  }
}
