package io.tidemark.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.NullMarked;

/** The body of a dead letter, compressed with gzip, and truncated if the whole body does not fit. */
@NullMarked
public final class DeadLetterBody {

  /** Maximum size of a compressed body in bytes: half of a broker's default limit for a record. */
  public static final int LARGEST = 512 << 10;

  private static final int CHUNK = 16 << 10;

  /**
   * Bytes reserved beyond the size of a chunk, in case the chunk does not compress, and for the end of the gzip stream.
   */
  private static final int SLACK = 1 << 10;

  private DeadLetterBody() {}

  /**
   * Builds a dead letter with the length and the digest of a whole body, and with as much of the body as fits.
   * Compresses the body in chunks, and stops before the first chunk that might not fit into {@link #LARGEST} bytes.
   */
  public static DeadLetter putInto(DeadLetter.Builder deadLetter, byte[] body) {
    var out = new ByteArrayOutputStream();
    var taken = 0;
    try (var gzip = new GZIPOutputStream(out, 512, true)) {
      while (taken < body.length && out.size() + CHUNK + SLACK <= LARGEST) {
        var length = Math.min(CHUNK, body.length - taken);
        gzip.write(body, taken, length);
        gzip.flush();
        taken += length;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Compressing the body of a dead letter in memory failed", e);
    }
    return deadLetter
        .setLength(body.length).setDigest(Sha256.hex(body)).setEncoding("gzip")
        .setTruncated(taken < body.length).setBody(ByteBuffer.wrap(out.toByteArray())).build();
  }
}
