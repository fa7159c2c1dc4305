package io.tidemark.change;

import com.google.common.hash.Hashing;
import io.tidemark.event.DeadLetter;
import io.tidemark.market.Failure;
import io.tidemark.market.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.zip.GZIPOutputStream;

/** Encodes what could not be read or written as a dead letter: compressed, and truncated where Kafka would not take it. */
public final class DeadLetterEncoder {
  /** The most bytes of a compressed body: half of what a broker takes by default. */
  public static final int LARGEST_BODY = 512 << 10;

  private static final int CHUNK = 16 << 10;

  /** What a chunk that does not compress, and the end of the stream, may take beyond the chunk itself. */
  private static final int SLACK = 1 << 10;

  private DeadLetterEncoder() {}

  static DeadLetter encode(Failure.Unreadable unreadable, Target target, int page, Instant receivedAt) {
    var letter = DeadLetter.newBuilder()
        .setSource(target.source()).setOperation(target.query().operation().wire()).setTarget(target.name())
        .setPage(page).setReason(unreadable.getMessage()).setStatus(unreadable.status())
        .setHeaders(unreadable.headers()).setSentAt(receivedAt).setReceivedAt(receivedAt);
    return withBody(letter, unreadable.raw());
  }

  /** The dead letter with a body: its length, its digest, and as much of it as fits. */
  public static DeadLetter withBody(DeadLetter.Builder letter, byte[] body) {
    var compressed = CompressedBody.of(body, LARGEST_BODY);
    return letter
        .setLength(body.length).setDigest(Hashing.sha256().hashBytes(body).toString()).setEncoding("gzip")
        .setTruncated(compressed.truncated()).setBody(compressed.bytes()).build();
  }

  /**
   * The beginning of a body, compressed; all of it where it fits.
   *
   * @param bytes a whole gzip stream
   * @param truncated whether the end of the body is missing
   */
  public record CompressedBody(ByteBuffer bytes, boolean truncated) {

    /**
     * Compresses a body.
     *
     * @param most bytes of the result; more than a chunk
     */
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
        throw new UncheckedIOException("Memory does not fail to be written", e);
      }
      return new CompressedBody(ByteBuffer.wrap(out.toByteArray()), taken < body.length);
    }
  }
}
