package io.tidemark.http.server;

import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.time.InstantSource;
import reactor.core.publisher.Mono;

/** A responder that answers queries with HTTP responses, either directly from a market or through a cache. */
public interface QueryResponder {
  /** Returns the response to a query. If the market fails, the response is an error response. */
  Mono<HttpReply> respond(Query<?> query);

  /**
   * Creates a responder that sends each query to a market. Age, max-age and id of a response come from the market's
   * answer.
   */
  static QueryResponder of(MarketData market, FieldNaming naming, InstantSource clock) {
    return query -> HttpReply.of(market, query, naming)
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(query, failure, clock.instant())));
  }
}
