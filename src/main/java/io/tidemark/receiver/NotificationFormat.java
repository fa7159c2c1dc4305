package io.tidemark.receiver;

import java.time.Instant;
import java.util.Map;

/** The wire format of a receiver's notifications. */
public interface NotificationFormat {

  /** The request that delivers a notification; but for times, the same at every attempt. */
  WebhookRequest request(Notification notification, Instant now);

  /** Whether the receiver tracks incidents until they are resolved; then no digest may contain a resolved alert. */
  default boolean tracksResolution() {
    return false;
  }

  /** The body and headers of a notification, ready to be posted. */
  record WebhookRequest(String contentType, String body, Map<String, String> headers) {

    static WebhookRequest json(Object body) {
      return new WebhookRequest("application/json", NotificationJson.text(body), Map.of());
    }
  }
}
