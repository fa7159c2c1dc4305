package io.tidemark.receiver;

import java.time.Instant;

/** The wire format of a receiver's notifications. */
public interface NotificationFormat {

  /** The request that delivers a notification; but for times, the same at every attempt. */
  WebhookRequest request(Notification notification, Instant now);

  /** Whether the receiver tracks incidents until they are resolved; then no digest may contain a resolved alert. */
  default boolean tracksResolution() {
    return false;
  }
}
