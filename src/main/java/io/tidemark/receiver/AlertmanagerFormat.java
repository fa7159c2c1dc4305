package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Alerts of Prometheus' Alertmanager, API v2: {@code http://<host>:9093/api/v2/alerts}. */
public record AlertmanagerFormat(LinkTemplate link) implements NotificationFormat {

  /** How long an event stands there; it has no end of its own. */
  private static final Duration EVENT_LASTS = Duration.ofMinutes(15);

  /** How long a condition stands there unless its end is told; without an end of ours it would be minutes. */
  private static final Duration CONDITION_LASTS = Duration.ofDays(7);

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(switch (notification) {
      case Notification.SingleAlert(var alert) -> List.of(alert(alert, now));
      case Notification.AlertDigest many -> List.of(digest(many, now));
    });
  }

  @Override
  public boolean tracksResolution() {
    return true;
  }

  private Map<String, Object> alert(Alert alert, Instant now) {
    var labels = new TreeMap<String, String>();
    alert.getLabels().forEach((name, value) -> labels.put(name.replaceAll("[^a-zA-Z0-9_]", "_"), value));
    labels.put("alertname", alert.getRule());
    labels.put("severity", alert.getSeverity());
    labels.put("subject", alert.getSubject());
    labels.put("fingerprint", alert.getFingerprint());
    var annotations = new TreeMap<>(alert.getAnnotations());
    annotations.put("summary", alert.getSummary());
    var started = alert.getStartedAt() == null ? alert.getEventTime() : alert.getStartedAt();
    return NotificationJson.object(
        "labels", labels,
        "annotations", annotations,
        "startsAt", started.toString(),
        "endsAt", AlertJson.time(end(alert, now)),
        "generatorURL", link.of(alert));
  }

  private static @Nullable Instant end(Alert alert, Instant now) {
    return switch (alert.getStatus()) {
      case "fired" -> now.plus(EVENT_LASTS);
      case "firing" -> now.plus(CONDITION_LASTS);
      default -> alert.getEndedAt();
    };
  }

  private static Map<String, Object> digest(Notification.AlertDigest many, Instant now) {
    var content = NotificationContent.of(many, LinkTemplate.NONE);
    return NotificationJson.object(
        "labels", Map.of("alertname", "digest", "severity", many.counts().severity(), "digest", many.id()),
        "annotations",
        Map.of("summary", content.title() + " " + content.summary(), "counts",
            NotificationJson.text(AlertJson.digest(many))),
        "startsAt", many.to().toString(),
        "endsAt", now.plus(EVENT_LASTS).toString());
  }
}
