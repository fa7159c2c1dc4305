package io.tidemark.ledger;

import io.tidemark.event.DeadLetter;
import io.tidemark.event.TargetState;
import io.tidemark.market.Failure;
import io.tidemark.market.Target;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;

/** What could not be understood or kept, as it goes to the dead letters: whole where that is possible. */
public final class DeadLetters {

  /** Compressed bytes of a body: half of what a broker takes by default. */
  public static final int LARGEST_BODY = 512 << 10;

  private static final int LONGEST_REASON = 1000;
  private static final int LONGEST_KEY = 200;

  private DeadLetters() {}

  /** An answer that is not what the document says. */
  public static DeadLetter of(Target target, int page, Failure.Unreadable answer, Instant sentAt, Instant receivedAt) {
    var message = answer.getMessage();
    return DeadLetter.newBuilder(letter(answer.raw(), message == null ? "" : message))
        .setSource(target.source())
        .setOperation(target.query().operation().wire())
        .setTarget(target.name())
        .setPage(page)
        .setStatus(answer.status())
        .setHeaders(answer.headers())
        .setSentAt(sentAt)
        .setReceivedAt(receivedAt)
        .build();
  }

  /** A record that Kafka would not take. */
  static DeadLetter tooLarge(TargetState target, Draft draft, int largest) {
    var value = draft.value() == null ? new byte[0] : draft.value();
    var reason =
        "topic %s, key %s: a record of %d bytes, %d are the most; left out, what is known of it stays as it was"
            .formatted(draft.topic(), Quoted.of(String.valueOf(draft.key()), LONGEST_KEY), draft.size(), largest);
    return DeadLetter.newBuilder(letter(value, reason))
        .setSource(target.getSource())
        .setOperation(target.getOperation())
        .setTarget(target.getTarget())
        .setSentAt(target.getObservedAt())
        .setReceivedAt(target.getObservedAt())
        .build();
  }

  /** The same without its body and headers: small enough for any broker. */
  static DeadLetter withoutBody(DeadLetter letter) {
    return DeadLetter.newBuilder(letter).setBody(ByteBuffer.allocate(0)).setHeaders(Map.of()).setCut(true).build();
  }

  private static DeadLetter letter(byte[] body, String reason) {
    var packed = Packed.of(body, LARGEST_BODY);
    return DeadLetter.newBuilder()
        .setReason(Quoted.of(reason, LONGEST_REASON))
        .setLength(body.length)
        .setDigest(sha256(body))
        .setEncoding("gzip")
        .setCut(packed.cut())
        .setBody(packed.bytes())
        .build();
  }

  private static String sha256(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
