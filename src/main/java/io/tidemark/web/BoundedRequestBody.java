package io.tidemark.web;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/** The body of a request, read only as far as is reasonable. */
final class BoundedRequestBody {

  private BoundedRequestBody() {}

  /** A body that is longer than anyone has reason to send. */
  static final class TooLong extends RuntimeException {
    TooLong(int most) {
      super("a body of more than " + most + " bytes", null, false, false);
    }
  }

  /** As UTF-8 text; fails with {@link TooLong}. */
  static Mono<String> read(HttpServerRequest request, int most) {
    return request
        .receive()
        .asByteArray()
        .reduceWith(ByteArrayOutputStream::new, (body, part) -> add(body, part, most))
        .map(body -> body.toString(StandardCharsets.UTF_8));
  }

  private static ByteArrayOutputStream add(ByteArrayOutputStream body, byte[] part, int most) {
    if (body.size() + part.length > most) {
      throw new TooLong(most);
    }
    body.writeBytes(part);
    return body;
  }
}
