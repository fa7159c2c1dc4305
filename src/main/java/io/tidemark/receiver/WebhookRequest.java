package io.tidemark.receiver;

import java.util.Map;

/** A message as it leaves. */
public record WebhookRequest(String contentType, String body, Map<String, String> headers) {

  static WebhookRequest json(Object body) {
    return new WebhookRequest("application/json", NotificationJson.text(body), Map.of());
  }
}
