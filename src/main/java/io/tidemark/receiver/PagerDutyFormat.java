package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.event.SafeText;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event of PagerDuty's Events API v2, at {@code https://events.pagerduty.com/v2/enqueue}: one incident for each
 * fingerprint, resolved with it.
 */
public record PagerDutyFormat(RoutingKey routingKey, LinkTemplate link) implements NotificationFormat {

  private static final int LONGEST = 1024;

  /** Says whose incidents they are; never printed. */
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
      case Notification.AlertDigest many -> NotificationJson.object(
          "routing_key", routingKey.value(),
          "event_action", "trigger",
          "dedup_key", many.id(),
          "payload",
          payload(NotificationContent.of(many, link), many.counts().severity(), many.to(), AlertJson.digest(many)));
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
        "payload", payload(content, alert.getSeverity(), alert.getEventTime(), AlertJson.alert(alert, null)),
        "links", links(content.link()));
  }

  private static Map<String, Object> payload(NotificationContent content, String severity, Instant at, Object details) {
    return NotificationJson.object(
        "summary", SafeText.singleLine(content.title() + ": " + content.summary(), LONGEST),
        "source", "tidemark",
        "severity", severity,
        "timestamp", at.toString(),
        "custom_details", details);
  }

  private static @Nullable Object links(@Nullable String link) {
    return link == null ? null : List.of(NotificationJson.object("href", link, "text", "open"));
  }
}
