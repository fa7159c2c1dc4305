package io.tidemark.receiver;

import java.time.Instant;

/** How a receiver wants to be told. */
public interface NotificationFormat {

  /** The message that tells it; the same but for its time at every attempt. */
  WebhookRequest request(Notification notification, Instant now);

  /** Whether what fires stays open there until its own end is told: no digest may swallow that. */
  default boolean tracksResolution() {
    return false;
  }
}
