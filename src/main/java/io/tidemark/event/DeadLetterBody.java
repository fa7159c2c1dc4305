package io.tidemark.event;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.NullMarked;

/**
 * The body of a dead letter: the beginning of some bytes, compressed; all of them where they fit.
 *
 * @param bytes a whole gzip stream
 * @param truncated whether the end of the body is missing
 */
@NullMarked
public record DeadLetterBody(ByteBuffer bytes, boolean truncated) {

  /** The most bytes of a compressed body: half of what a broker takes by default. */
  public static final int LARGEST = 512 << 10;

  private static final int CHUNK = 16 << 10;

  /** What a chunk that does not compress, and the end of the stream, may take beyond the chunk itself. */
  private static final int SLACK = 1 << 10;

  /** The dead letter with a body: its length, its digest, and as much of it as fits. */
  public static DeadLetter putInto(DeadLetter.Builder deadLetter, byte[] body) {
    var compressed = of(body, LARGEST);
    return deadLetter
        .setLength(body.length).setDigest(Sha256.hex(body)).setEncoding("gzip")
        .setTruncated(compressed.truncated()).setBody(compressed.bytes()).build();
  }

  /**
   * Compresses a body.
   *
   * @param most bytes of the result; more than a chunk
   */
  public static DeadLetterBody of(byte[] body, int most) {
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
      throw new UncheckedIOException("Memory does not fail to be written", e);
    }
    return new DeadLetterBody(ByteBuffer.wrap(out.toByteArray()), taken < body.length);
  }
}
