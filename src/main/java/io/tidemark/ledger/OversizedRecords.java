package io.tidemark.ledger;

import io.tidemark.change.DeadLetterEncoder;
import io.tidemark.event.DeadLetter;
import java.nio.ByteBuffer;
import java.util.Map;

/** Records that Kafka would not take, as they go to the dead letters: cut where even that is too much. */
final class OversizedRecords {

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
    var letter =
        DeadLetter.newBuilder()
            .setSource(snapshot.source())
            .setOperation(snapshot.operation())
            .setTarget(snapshot.target())
            .setReason(reason)
            .setSentAt(snapshot.at())
            .setReceivedAt(snapshot.at());
    return DeadLetterEncoder.withBody(letter, value);
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
}
