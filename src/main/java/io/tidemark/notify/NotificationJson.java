package io.tidemark.notify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A converter of alerts and digests to JSON. The JSON fields of an alert, except {@code link} and {@code links}, have
 * the names of the fields in the record of the alert. Times are in ISO 8601.
 */
final class NotificationJson {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private NotificationJson() {}

  static Map<String, Object> alert(Alert alert, NotificationLinks links) {
    var linked = links.of(alert);
    return object(
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
        "end_summary", alert.getEndSummary(),
        "reason", alert.getReason(),
        "started_at", time(alert.getStartedAt()),
        "fired_at", time(alert.getFiredAt()),
        "ended_at", time(alert.getEndedAt()),
        "labels", alert.getLabels(),
        "annotations", alert.getAnnotations(),
        "evidence", alert.getEvidence().stream().map(NotificationJson::evidence).toList(),
        "link", linked.isEmpty() ? null : linked.firstEntry().getValue(),
        "links", linked.isEmpty() ? null : linked);
  }

  /**
   * Converts a digest to JSON with its counts and its worst alerts. The topic of alerts has all alerts of the digest.
   */
  static Map<String, Object> digest(Notification.AlertDigest digest) {
    return object(
        "id", digest.id(),
        "from", digest.from().toString(),
        "to", digest.to().toString(),
        "alerts", digest.alerts(),
        "late", digest.late(),
        "counts", digest.counts().stream().map(NotificationJson::count).toList(),
        "worst", digest.worst().stream().map(alert -> alert(alert, NotificationLinks.NONE)).toList());
  }

  private static Map<String, Object> count(Notification.RuleCount count) {
    return object("rule", count.rule(), "severity", count.severity(), "status", count.status(), "count", count.count());
  }

  private static Map<String, Object> evidence(Evidence evidence) {
    return object(
        "topic", evidence.getTopic(),
        "key", evidence.getKey(),
        "generation", time(evidence.getGeneration()),
        "revision", evidence.getRevision(),
        "observed_at", evidence.getObservedAt().toString(),
        "values", evidence.getValues());
  }

  static @Nullable String time(@Nullable Instant at) {
    return at == null ? null : at.toString();
  }

  /** @param namesAndValues names and values, alternately; a name with a null value is left out */
  static Map<String, Object> object(@Nullable Object... namesAndValues) {
    var object = new LinkedHashMap<String, Object>();
    for (var i = 0; i < namesAndValues.length; i += 2) {
      var value = namesAndValues[i + 1];
      if (value != null) {
        object.put((String) Objects.requireNonNull(namesAndValues[i]), value);
      }
    }
    return object;
  }

  /** @param value consists of maps, lists, texts and numbers */
  static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of texts could not be written as JSON", e);
    }
  }

  /** Parses the body of a response. Returns a missing node if the body is not JSON. */
  static JsonNode read(String text) {
    try {
      return Objects.requireNonNullElse(MAPPER.readTree(text), MissingNode.getInstance());
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
