package io.tidemark.receiver;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Alerts as JSON for programs: the fields of the record by their names, times in ISO 8601. */
final class AlertJson {

  private AlertJson() {}

  static Map<String, Object> alert(Alert alert, @Nullable String link) {
    return NotificationJson.object(
        "id", alert.getId(),
        "rule", alert.getRule(),
        "rule_version", alert.getRuleVersion(),
        "kind", alert.getKind(),
        "status", alert.getStatus(),
        "fingerprint", alert.getFingerprint(),
        "severity", alert.getSeverity(),
        "subject", alert.getSubject(),
        "summary", alert.getSummary(),
        "event_time", alert.getEventTime().toString(),
        "started_at", time(alert.getStartedAt()),
        "ended_at", time(alert.getEndedAt()),
        "labels", alert.getLabels(),
        "annotations", alert.getAnnotations(),
        "evidence", alert.getEvidence().stream().map(AlertJson::evidence).toList(),
        "link", link);
  }

  /** How many of what, and the worst of them; where the others stand is said by the topic. */
  static Map<String, Object> digest(Notification.AlertDigest many) {
    return NotificationJson.object(
        "id", many.id(),
        "from", many.from().toString(),
        "to", many.to().toString(),
        "alerts", many.counts().total(),
        "late", many.counts().late(),
        "counts", many.counts().byRule().stream().map(AlertJson::count).toList(),
        "worst", many.counts().worst().stream().map(alert -> alert(alert, null)).toList());
  }

  private static Map<String, Object> count(AlertCounts.RuleCount count) {
    return NotificationJson.object(
        "rule", count.rule(), "severity", count.severity(), "status", count.status(), "count", count.count());
  }

  private static Map<String, Object> evidence(Evidence evidence) {
    return NotificationJson.object(
        "topic", evidence.getTopic(),
        "key", evidence.getKey(),
        "generation", time(evidence.getGeneration()),
        "revision", evidence.getRevision(),
        "observed_at", evidence.getObservedAt().toString(),
        "values", evidence.getValues());
  }

  static List<Alert> alerts(Notification notification) {
    return switch (notification) {
      case Notification.SingleAlert(var alert) -> List.of(alert);
      case Notification.AlertDigest many -> many.counts().worst();
    };
  }

  static @Nullable String time(@Nullable Instant at) {
    return at == null ? null : at.toString();
  }
}
