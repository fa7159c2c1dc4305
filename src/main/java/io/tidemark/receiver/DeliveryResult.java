package io.tidemark.receiver;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What became of a message. */
sealed interface DeliveryResult {

  record Delivered() implements DeliveryResult {}

  /**
   * Not now.
   *
   * @param after what the receiver asks for; null where it says nothing
   */
  record RetryLater(String why, @Nullable Duration after) implements DeliveryResult {}

  /** Never: the same message would be refused again. */
  record RejectedByReceiver(String why) implements DeliveryResult {}
}
