package io.tidemark.http.client;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.market.Answer;
import io.tidemark.market.Query;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * An answer that was kept as it came, because it was not understood then.
 *
 * @param target canonical name of what was asked
 * @param body decompressed, all of it
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record StoredResponse(
    String target,
    int page,
    byte[] body,
    int status,
    Map<String, String> headers,
    Instant sentAt,
    Instant receivedAt) {

  /**
   * The answer, to be read as answers are read today. One that does not say of when it is, is of when it came.
   *
   * @throws IllegalArgumentException where the target is no operation of the document
   */
  public Answer<?> answer() {
    Query<?> query = Endpoints.parseTarget(target);
    Query<?> asked = query instanceof Query.Paged<?> paged ? paged.withPage(page) : query;
    return answer(asked);
  }

  private <A> Answer<A> answer(Query<A> query) {
    var sent = new DefaultHttpHeaders();
    headers.forEach(sent::set);
    var answer = new ReceivedResponse(status, sent, body, null).answer(query, sentAt, receivedAt);
    return new Answer<>(query, answer.body(), answer.digest(), sentAt, receivedAt,
        Objects.requireNonNullElse(answer.asOf(), receivedAt), answer.maxAge(), answer.requestId());
  }
}
