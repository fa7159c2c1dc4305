package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.event.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Posts events to PagerDuty's Events API v2, {@code https://events.pagerduty.com/v2/enqueue}: one incident for each
 * fingerprint, resolved with its alert.
 */
public record PagerDutyFormat(RoutingKey routingKey, LinkTemplate link) implements NotificationFormat {

  private static final int LONGEST = 1024;

  /** The key of the PagerDuty service that gets the incidents; never printed. */
  public record RoutingKey(String value) {
    @Override
    public String toString() {
      return "***";
    }
  }

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(switch (notification) {
      case Notification.SingleAlert(var alert) -> event(alert);
      case Notification.AlertDigest digest -> NotificationJson.object(
          "routing_key", routingKey.value(),
          "event_action", "trigger",
          "dedup_key", digest.id(),
          "payload", payload(NotificationContent.of(digest, link), digest.severity(), digest.to(),
              NotificationJson.digest(digest)));
    });
  }

  @Override
  public boolean tracksResolution() {
    return true;
  }

  private Map<String, Object> event(Alert alert) {
    var resolved = alert.getStatus().equals("resolved");
    var content = NotificationContent.of(new Notification.SingleAlert(alert), link);
    return NotificationJson.object(
        "routing_key", routingKey.value(),
        "event_action", resolved ? "resolve" : "trigger",
        "dedup_key", alert.getFingerprint(),
        "payload", payload(content, alert.getSeverity(), alert.getEventTime(), NotificationJson.alert(alert, null)),
        "links", content.link() == null ? null
            : List.of(NotificationJson.object("href", content.link(), "text", "open")));
  }

  private static Map<String, Object> payload(NotificationContent content, String severity, Instant at, Object details) {
    return NotificationJson.object(
        "summary", SafeText.singleLine(content.title() + ": " + content.summary(), LONGEST),
        "source", "tidemark",
        "severity", severity,
        "timestamp", at.toString(),
        "custom_details", details);
  }
}
