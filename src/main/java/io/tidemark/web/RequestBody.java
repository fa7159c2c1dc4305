package io.tidemark.web;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/** Reads the bodies of requests, up to a length. */
final class RequestBody {

  /** A body that is longer than what it is for needs. */
  static final class BodyTooLargeException extends RuntimeException {
    BodyTooLargeException(int most) {
      super("a body of more than " + most + " bytes", null, false, false);
    }
  }

  private RequestBody() {}

  /** The whole body as text, empty where there is none; fails with {@link BodyTooLargeException}. */
  static Mono<String> text(HttpServerRequest request, int mostBytes) {
    return request.receive()
        .asByteArray()
        .reduceWith(ByteArrayOutputStream::new, (body, part) -> append(body, part, mostBytes))
        .map(body -> body.toString(StandardCharsets.UTF_8));
  }

  private static ByteArrayOutputStream append(ByteArrayOutputStream body, byte[] part, int most) {
    if (body.size() + part.length > most) {
      throw new BodyTooLargeException(most);
    }
    body.writeBytes(part);
    return body;
  }
}
