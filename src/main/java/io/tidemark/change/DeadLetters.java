package io.tidemark.change;

import io.tidemark.event.DeadLetter;
import io.tidemark.market.Failure;
import io.tidemark.market.Target;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/** Answers that were not understood, whole: compressed, and cut only where they are larger than Kafka takes. */
final class DeadLetters {
  /** Most bytes of a compressed body that are kept. */
  static final int MOST = 512 * 1024;

  private DeadLetters() {}

  static DeadLetter of(Failure.Unreadable unreadable, Target target, int page, Instant receivedAt) {
    byte[] raw = unreadable.raw();
    byte[] packed = gzip(raw);
    boolean cut = packed.length > MOST;
    return DeadLetter.newBuilder()
        .setSource(target.source())
        .setOperation(target.query().operation().wire())
        .setTarget(target.name())
        .setPage(page)
        .setReason(unreadable.getMessage())
        .setStatus(unreadable.status())
        .setHeaders(unreadable.headers())
        .setSentAt(receivedAt)
        .setReceivedAt(receivedAt)
        .setLength(raw.length)
        .setDigest(sha256(raw))
        .setEncoding(cut ? "identity" : "gzip")
        .setCut(cut)
        .setBody(ByteBuffer.wrap(cut ? Arrays.copyOf(raw, MOST) : packed))
        .build();
  }

  private static byte[] gzip(byte[] raw) {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(raw);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static String sha256(byte[] raw) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(raw));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
