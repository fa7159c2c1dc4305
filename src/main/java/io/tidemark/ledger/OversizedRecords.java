package io.tidemark.ledger;

import io.tidemark.change.CompressedBody;
import io.tidemark.event.DeadLetter;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** Records that Kafka would not take, as they go to the dead letters: cut where even that is too much. */
final class OversizedRecords {

  /** Compressed bytes of a body: half of what a broker takes by default. */
  static final int LARGEST_BODY = 512 << 10;

  private static final int LONGEST_KEY = 200;
  private static final int LONGEST_REASON = 1000;

  private OversizedRecords() {}

  /** A record that Kafka would not take. */
  static DeadLetter tooLarge(SnapshotReference snapshot, PendingRecord draft, int largest) {
    var value = draft.value() == null ? new byte[0] : draft.value();
    var reason =
        "topic %s, key %s: a record of %d bytes, %d are the most; left out, what is known of it stays as it was"
            .formatted(draft.topic(), PrintableText.of(String.valueOf(draft.key()), LONGEST_KEY), draft.size(),
                largest);
    var packed = CompressedBody.of(value, LARGEST_BODY);
    return DeadLetter.newBuilder()
        .setSource(snapshot.source())
        .setOperation(snapshot.operation())
        .setTarget(snapshot.target())
        .setReason(reason)
        .setSentAt(snapshot.at())
        .setReceivedAt(snapshot.at())
        .setLength(value.length)
        .setDigest(sha256(value))
        .setEncoding("gzip")
        .setTruncated(packed.truncated())
        .setBody(packed.bytes())
        .build();
  }

  /** The same without its body and headers: small enough for any broker. */
  static DeadLetter withoutBody(DeadLetter letter) {
    return DeadLetter.newBuilder(letter)
        .setReason(PrintableText.of(letter.getReason(), LONGEST_REASON))
        .setBody(ByteBuffer.allocate(0))
        .setHeaders(Map.of())
        .setTruncated(true)
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
