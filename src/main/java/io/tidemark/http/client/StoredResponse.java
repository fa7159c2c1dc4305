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
 * A response that was stored as received, because it could not be read when it arrived.
 *
 * @param body the complete body, decompressed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StoredResponse(
    String target, int page, byte[] body, int status, Map<String, String> headers, Instant sentAt,
    Instant receivedAt) {

  /**
   * Returns the answer as this version of Tidemark reads it. If the response does not tell when it was current, the
   * time of receipt is used.
   *
   * @throws IllegalArgumentException if the target is not an operation of the interface document
   */
  public Answer<?> answer() {
    Query<?> firstPage = Endpoints.parseTarget(target);
    Query<?> query = firstPage instanceof Query.Paged<?> paged ? paged.withPage(page) : firstPage;
    return answer(query);
  }

  /** Like {@link #answer()}, for a target that was already parsed to a query. */
  public <A> Answer<A> answer(Query<A> query) {
    var sent = new DefaultHttpHeaders();
    headers.forEach(sent::set);
    var answer = new ReceivedResponse(status, sent, body, null).answer(query, sentAt, receivedAt);
    return new Answer<>(query, answer.body(), answer.digest(), sentAt, receivedAt,
        Objects.requireNonNullElse(answer.asOf(), receivedAt), answer.maxAge(), answer.requestId(), answer.age());
  }
}
