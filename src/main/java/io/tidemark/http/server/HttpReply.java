package io.tidemark.http.server;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Answer;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The response to one request.
 *
 * @param id name of this body, sent as {@code x-request-id}; each response from a cached body has the same
 * @param headers further headers ({@code Retry-After})
 * @param asOf when the content was true
 * @param maxAge how long it may be cached; null where the reply does not say
 */
public record HttpReply(
    String id, int status, String contentType, ReplyBody content, Map<String, String> headers, Instant asOf,
    @Nullable Duration maxAge) {
  static final String JSON = "application/json; charset=utf-8";

  public HttpReply {
    headers = Map.copyOf(headers);
  }

  /** A body of JSON that is true now, and that no cache has. */
  static HttpReply json(byte[] body, Instant now) {
    return new HttpReply(UUID.randomUUID().toString(), 200, JSON, new ReplyBody(body), Map.of(), now, null);
  }

  /** The bytes of the body, read only. */
  public ByteBuffer body() {
    return content.buffer();
  }

  /** The answer of a market to a query. Fails as the market fails. */
  static <A> Mono<HttpReply> of(MarketData market, Query<A> query, FieldNaming naming, String id) {
    return query.askOf(market).map(answer -> of(query, answer, naming, id));
  }

  static <A> HttpReply of(Query<A> query, Answer<A> answer, FieldNaming naming, String id) {
    var body = Endpoints.<A, Query<A>>of(query).encode(query, answer.body().read(), naming);
    Instant asOf = answer.asOf() == null ? answer.receivedAt() : answer.asOf();
    return new HttpReply(id, 200, JSON, new ReplyBody(body), Map.of(), asOf, answer.maxAge());
  }

  /** The same body, cached. */
  HttpReply cached(Instant filledAt, Duration refresh) {
    return new HttpReply(id, status, contentType, content, headers, filledAt, refresh);
  }

  /** The same, of another time. */
  HttpReply asOf(Instant time) {
    return new HttpReply(id, status, contentType, content, headers, time, maxAge);
  }
}
