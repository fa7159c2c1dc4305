package io.tidemark.notify;

import io.tidemark.event.Alert;
import io.tidemark.event.SafeText;
import io.tidemark.event.Secret;
import java.time.Instant;
import java.util.Map;

/**
 * Posts events to PagerDuty's Events API v2, {@code https://events.pagerduty.com/v2/enqueue}. All alerts of a
 * condition with the same fingerprint are one incident, which is resolved when the alert is resolved. An alert of an
 * event rule has no end, so each of these alerts is a separate incident, and so is each digest.
 *
 * @param routingKey the key of the PagerDuty service that gets the incidents
 */
public record PagerDutyFormat(Secret routingKey, NotificationLinks links) implements NotificationFormat {

  private static final int LONGEST = 1024;

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(switch (notification) {
      case Notification.SingleAlert(var alert, var trace) ->
          event(alert, NotificationContent.of(notification, links, now));
      case Notification.AlertDigest digest -> NotificationJson.object(
          "routing_key", routingKey.value(),
          "event_action", "trigger",
          "dedup_key", digest.id(),
          "payload", payload(NotificationContent.of(digest, links, now), digest.severity(), digest.to(),
              NotificationJson.digest(digest)));
    });
  }

  @Override
  public boolean tracksResolution() {
    return true;
  }

  private Map<String, Object> event(Alert alert, NotificationContent content) {
    if (NotificationContent.isResolved(alert)) {
      return NotificationJson.object(
          "routing_key", routingKey.value(), "event_action", "resolve", "dedup_key", alert.getFingerprint());
    }
    return NotificationJson.object(
        "routing_key", routingKey.value(),
        "event_action", "trigger",
        "dedup_key", alert.getStatus().equals("fired") ? alert.getId() : alert.getFingerprint(),
        "payload",
        payload(content, alert.getSeverity(), alert.getEventTime(),
            NotificationJson.alert(alert, NotificationLinks.NONE)),
        "links", content.links().isEmpty() ? null : content.links().entrySet().stream()
            .map(link -> NotificationJson.object("href", link.getValue(), "text", link.getKey()))
            .toList());
  }

  private static Map<String, Object> payload(NotificationContent content, String severity, Instant at, Object details) {
    return NotificationJson.object(
        "summary", SafeText.singleLine(content.title() + ": " + content.summary(), LONGEST),
        "source", "tidemark",
        "severity", severity,
        "timestamp", at,
        "custom_details", details);
  }
}
