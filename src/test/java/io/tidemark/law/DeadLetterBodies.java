package io.tidemark.law;

import io.tidemark.event.DeadLetter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;

/** Bodies restored from dead letters. */
final class DeadLetterBodies {
  private DeadLetterBodies() {}

  static byte[] body(DeadLetter deadLetter) {
    var bytes = new byte[deadLetter.getBody().remaining()];
    deadLetter.getBody().duplicate().get(bytes);
    if (deadLetter.getEncoding().equals("identity")) {
      return bytes;
    }
    try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return gzip.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
