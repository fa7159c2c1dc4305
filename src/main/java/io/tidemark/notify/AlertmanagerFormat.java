package io.tidemark.notify;

import io.tidemark.event.Alert;
import io.tidemark.event.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Posts alerts to Prometheus' Alertmanager, API v2: {@code http://<host>:9093/api/v2/alerts}. */
public record AlertmanagerFormat(NotificationLinks links) implements NotificationFormat {

  /** How long Alertmanager shows an alert without an end after it is sent: an alert of an event rule, or a digest. */
  private static final Duration EVENT_EXPIRES_AFTER = Duration.ofMinutes(15);

  /**
   * How long Alertmanager shows a firing condition after it is sent, if it is not resolved. Without an end time,
   * Alertmanager would resolve it in minutes.
   */
  static final Duration CONDITION_EXPIRES_AFTER = Duration.ofDays(7);

  /**
   * Minimum time between the end of a resolved alert and its delivery. If the end is in the future by Alertmanager's
   * clock, Alertmanager keeps the later end that it got with the firing alert.
   */
  private static final Duration RESOLVED_BEFORE = Duration.ofMinutes(1);

  @Override
  public WebhookRequest request(Notification notification, Instant now) {
    return WebhookRequest.json(switch (notification) {
      case Notification.SingleAlert(var alert, var trace) -> List.of(alert(alert, now));
      case Notification.AlertDigest digest -> List.of(digest(digest, now));
    });
  }

  @Override
  public boolean tracksResolution() {
    return true;
  }

  private Map<String, Object> alert(Alert alert, Instant now) {
    var labels = new TreeMap<String, String>();
    alert.getLabels().forEach((name, value) -> labels.put(SafeText.labelName(name), value));
    labels.put("alertname", alert.getRule());
    labels.put("severity", alert.getSeverity());
    labels.put("subject", alert.getSubject());
    labels.put("fingerprint", alert.getFingerprint());
    if (alert.getStatus().equals("fired")) { // each event is an alert of its own, and notifies
      labels.put("id", alert.getId());
    }
    var annotations = new TreeMap<String, String>();
    alert.getAnnotations().forEach((name, value) -> annotations.put(SafeText.labelName(name), value));
    annotations.put("summary", alert.getSummary());
    if (alert.getEndSummary() != null) {
      annotations.put("end_summary", alert.getEndSummary());
    }
    var linked = links.of(alert);
    linked.forEach(annotations::putIfAbsent);
    var started = alert.getStartedAt() == null ? alert.getEventTime() : alert.getStartedAt();
    return NotificationJson.object(
        "labels", labels,
        "annotations", annotations,
        "startsAt", started,
        "endsAt", end(alert, started, now),
        "generatorURL", linked.isEmpty() ? null : linked.firstEntry().getValue());
  }

  private static Instant end(Alert alert, Instant started, Instant now) {
    return switch (alert.getStatus()) {
      case "fired" -> now.plus(EVENT_EXPIRES_AFTER);
      case "firing" -> now.plus(CONDITION_EXPIRES_AFTER);
      default -> resolved(alert.getEndedAt(), started, now.minus(RESOLVED_BEFORE));
    };
  }

  /** Returns the end of a resolved alert, but not after {@code latest}, and not before the start. */
  private static Instant resolved(@Nullable Instant ended, Instant started, Instant latest) {
    var end = ended == null || ended.isAfter(latest) ? latest : ended;
    return end.isBefore(started) ? started : end; // Alertmanager refuses an end before the start
  }

  private static Map<String, Object> digest(Notification.AlertDigest digest, Instant now) {
    var content = NotificationContent.of(digest, NotificationLinks.NONE, now);
    return NotificationJson.object(
        "labels", Map.of("alertname", "digest", "severity", digest.severity(), "digest", digest.id()),
        "annotations", Map.of(
            "summary", content.title() + " " + content.summary(),
            "counts", NotificationJson.text(NotificationJson.digest(digest))),
        "startsAt", digest.to(),
        "endsAt", now.plus(EVENT_EXPIRES_AFTER));
  }
}
