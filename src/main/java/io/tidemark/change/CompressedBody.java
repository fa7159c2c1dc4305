package io.tidemark.change;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;

/**
 * The beginning of a body, gzip-compressed; all of it where it fits.
 *
 * @param bytes a whole gzip stream
 * @param truncated whether something of the body is missing
 */
public record CompressedBody(ByteBuffer bytes, boolean truncated) {

  private static final int CHUNK = 16 << 10;

  /** What a chunk that does not compress, and the end of the stream, may take beyond the chunk itself. */
  private static final int SLACK = 1 << 10;

  /** @param most bytes of the result; more than a chunk */
  public static CompressedBody of(byte[] body, int most) {
    var out = new ByteArrayOutputStream();
    var taken = 0;
    try (var gzip = new GZIPOutputStream(out, 512, true)) {
      while (taken < body.length && out.size() + CHUNK + SLACK <= most) {
        var length = Math.min(CHUNK, body.length - taken);
        gzip.write(body, taken, length);
        gzip.flush();
        taken += length;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail to be written", e);
    }
    return new CompressedBody(ByteBuffer.wrap(out.toByteArray()), taken < body.length);
  }
}
