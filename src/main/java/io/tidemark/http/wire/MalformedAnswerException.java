package io.tidemark.http.wire;

import java.io.IOException;

/** A body that is not the answer that the document describes. */
final class MalformedAnswerException extends IOException {
  MalformedAnswerException(String message) {
    super(message);
  }
}
