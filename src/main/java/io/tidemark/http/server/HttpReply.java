package io.tidemark.http.server;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is sent back for one question.
 *
 * @param id name of this body, sent as {@code x-request-id}; a cached body keeps the one it was made under
 * @param headers further headers ({@code Retry-After})
 * @param asOf when the content was true
 * @param maxAge how long it may be kept, null where nothing is said
 */
public record HttpReply(
    String id,
    int status,
    String contentType,
    ByteBuffer body,
    Map<String, String> headers,
    Instant asOf,
    @Nullable Duration maxAge) {
  static final String JSON = "application/json; charset=utf-8";

  public HttpReply {
    body = body.asReadOnlyBuffer();
    headers = Map.copyOf(headers);
  }

  byte[] bytes() {
    var bytes = new byte[body.remaining()];
    body.duplicate().get(bytes);
    return bytes;
  }
}
