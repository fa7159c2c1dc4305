package io.tidemark.ledger;

import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.event.Origin;
import io.tidemark.event.SafeText;
import io.tidemark.event.TargetState;
import io.tidemark.ledger.TransactionBuffer.PendingRecord;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;

/** Turns records that are too large for Kafka into dead letters, truncated where these are too large as well. */
final class OversizedRecords {

  private static final int LONGEST_KEY = 200;
  private static final int LONGEST_REASON = 1000;

  private OversizedRecords() {}

  /** The snapshot that a record belongs to, as a dead letter names it. */
  record SnapshotReference(String source, String operation, String target, Instant at) {

    static SnapshotReference of(TargetState snapshot) {
      return new SnapshotReference(
          snapshot.getSource(), snapshot.getOperation(), snapshot.getTarget(), snapshot.getObservedAt());
    }

    static SnapshotReference of(Origin origin) {
      return new SnapshotReference(
          origin.getSource(), origin.getOperation(), origin.getTarget(), origin.getObservedAt());
    }
  }

  /** The dead letter of a record that is larger than so many bytes. */
  static DeadLetter deadLetter(SnapshotReference snapshot, PendingRecord oversized, int largest) {
    var value = oversized.value() == null ? new byte[0] : oversized.value();
    var key = SafeText.masked(String.valueOf(oversized.keyText()), LONGEST_KEY);
    var deadLetter = DeadLetter.newBuilder()
        .setSource(snapshot.source())
        .setOperation(snapshot.operation())
        .setTarget(snapshot.target())
        .setReason(
            "topic %s, key %s: the record has %d bytes, the limit is %d; it is not written and the state of its resource stays as it was"
                .formatted(oversized.topic(), key, oversized.size(), largest))
        .setSentAt(snapshot.at())
        .setReceivedAt(snapshot.at());
    return DeadLetterBody.putInto(deadLetter, value);
  }

  /** The same dead letter without body and headers: small enough for any broker. */
  static DeadLetter withoutBody(DeadLetter deadLetter) {
    return DeadLetter.newBuilder(deadLetter)
        .setReason(SafeText.masked(deadLetter.getReason(), LONGEST_REASON))
        .setBody(ByteBuffer.allocate(0))
        .setHeaders(Map.of())
        .setTruncated(true)
        .build();
  }
}
