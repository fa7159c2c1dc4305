package io.tidemark.receiver;

import java.util.Map;

/** The body and headers of a notification, ready to be posted. */
public record WebhookRequest(String contentType, String body, Map<String, String> headers) {

  static WebhookRequest json(Object body) {
    return new WebhookRequest("application/json", NotificationJson.text(body), Map.of());
  }
}
