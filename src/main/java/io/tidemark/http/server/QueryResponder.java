package io.tidemark.http.server;

import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.time.InstantSource;
import reactor.core.publisher.Mono;

/** Answers queries with response bodies: from a market directly, or through a cache. */
public interface QueryResponder {
  /** The response to a query. A failure of the market is a response too. */
  Mono<HttpReply> respond(Query<?> query);

  /** Puts each query to the market. Age, max-age and the name of the body are those of its answers. */
  static QueryResponder of(MarketData market, FieldNaming naming, InstantSource clock) {
    return query -> HttpReply.of(market, query, naming)
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(query, failure, clock.instant())));
  }
}
