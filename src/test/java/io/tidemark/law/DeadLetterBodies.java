package io.tidemark.law;

import io.tidemark.event.DeadLetter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;

/** Dead letters as someone reads them who wants the body back. */
final class DeadLetterBodies {
  private DeadLetterBodies() {}

  static byte[] body(DeadLetter letter) {
    var bytes = new byte[letter.getBody().remaining()];
    letter.getBody().duplicate().get(bytes);
    if (letter.getEncoding().equals("identity")) {
      return bytes;
    }
    try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return gzip.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
