package io.tidemark.capture.change;

import io.tidemark.event.DeadLetter;
import io.tidemark.event.DeadLetterBody;
import io.tidemark.market.Failure;
import io.tidemark.market.Target;
import java.time.Instant;

/**
 * Encodes an answer that is unreadable, or of which some values were not taken, as a dead letter, compressed, and
 * truncated if it is too large for Kafka.
 */
final class DeadLetterEncoder {

  private DeadLetterEncoder() {}

  static DeadLetter encode(Failure.Unreadable unreadable, Target target, int page, Instant receivedAt) {
    var letter = DeadLetter.newBuilder()
        .setSource(target.source()).setOperation(target.query().operation().wire()).setTarget(target.name())
        .setPage(page).setReason(unreadable.getMessage()).setStatus(unreadable.status())
        .setHeaders(unreadable.headers()).setSentAt(receivedAt).setReceivedAt(receivedAt);
    return DeadLetterBody.putInto(letter, unreadable.raw());
  }
}
