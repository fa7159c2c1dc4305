package io.tidemark.http.client;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.tidemark.http.client.BoundedHttpClient.ReceivedResponse;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Answer;
import io.tidemark.market.Query;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * A response that was stored as received, because it could not be read then.
 *
 * @param body decompressed and complete
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredResponse(
    String target, int page, byte[] body, int status, Map<String, String> headers, Instant sentAt,
    Instant receivedAt) {

  /**
   * The answer, read as this version reads answers. Without a time of its own, it is as of when it was received.
   *
   * @throws IllegalArgumentException if the target is no operation of the document
   */
  public Answer<?> answer() {
    Query<?> firstPage = Endpoints.parseTarget(target);
    Query<?> query = firstPage instanceof Query.Paged<?> paged ? paged.withPage(page) : firstPage;
    return answer(query);
  }

  /** The same, to a query that is known. */
  public <A> Answer<A> answer(Query<A> query) {
    var sent = new DefaultHttpHeaders();
    headers.forEach(sent::set);
    var answer = new ReceivedResponse(status, sent, body, null).answer(query, sentAt, receivedAt);
    return new Answer<>(query, answer.body(), answer.digest(), sentAt, receivedAt,
        Objects.requireNonNullElse(answer.asOf(), receivedAt), answer.maxAge(), answer.requestId(), answer.age());
  }
}
