package io.tidemark.change;

import io.tidemark.event.DeadLetter;
import io.tidemark.market.Failure;
import io.tidemark.market.Target;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/** Answers that were not understood, whole: compressed, and cut only where they are larger than Kafka takes. */
final class DeadLetterEncoder {
  /** Most bytes of a compressed body that are kept. */
  static final int MOST = 512 * 1024;

  private DeadLetterEncoder() {}

  static DeadLetter of(Failure.Unreadable unreadable, Target target, int page, Instant receivedAt) {
    byte[] raw = unreadable.raw();
    CompressedBody packed = CompressedBody.of(raw, MOST);
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
        .setEncoding("gzip")
        .setTruncated(packed.truncated())
        .setBody(packed.bytes())
        .build();
  }

  private static String sha256(byte[] raw) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(raw));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
