package io.tidemark.notify;

import java.time.Instant;
import java.util.Map;

/** The wire format of a receiver's notifications. */
public interface NotificationFormat {

  /**
   * Returns the request that delivers a notification. Requests for the same notification differ only by what depends
   * on {@code now}, such as times and signatures.
   */
  WebhookRequest request(Notification notification, Instant now);

  /**
   * Returns whether the receiver tracks incidents until they are resolved. If so, no digest may contain a resolved
   * alert.
   */
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
