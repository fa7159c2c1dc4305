package io.tidemark.http.wire;

import java.io.IOException;

/** A body that is JSON, but not what the document says. */
final class MalformedAnswerException extends IOException {
  MalformedAnswerException(String message) {
    super(message);
  }
}
