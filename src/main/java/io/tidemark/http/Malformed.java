package io.tidemark.http;

import java.io.IOException;

/** A body that is JSON, but not what the document says. */
final class Malformed extends IOException {
  Malformed(String message) {
    super(message);
  }
}
