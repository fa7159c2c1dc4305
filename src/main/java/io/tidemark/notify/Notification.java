package io.tidemark.notify;

import io.tidemark.event.Alert;
import io.tidemark.kafka.TraceParent;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The content of one message to a receiver: a single alert, or a digest of many. */
public sealed interface Notification {

  /** Returns an id that is the same at every delivery attempt. A firing alert and its resolution have different ids. */
  String id();

  /** Returns the span of the alert, or null if the notification belongs to no trace. A digest belongs to none. */
  default @Nullable TraceParent trace() {
    return null;
  }

  record SingleAlert(Alert alert, @Nullable TraceParent trace) implements Notification {

    @Override
    public String id() {
      return alert.getId() + "/" + alert.getStatus();
    }
  }

  /**
   * A summary of alerts that were too many, or too late, for single notifications.
   *
   * @param late number of alerts older than the receiver's {@code deliver-within}
   * @param counts counts by rule, the most severe first, then the most frequent
   * @param worst a bounded number of the most severe alerts, the most severe first
   */
  record AlertDigest(String id, Instant from, Instant to, int late, List<RuleCount> counts, List<Alert> worst)
      implements Notification {

    int alerts() {
      return counts.stream().mapToInt(RuleCount::count).sum();
    }

    String severity() {
      return worst.isEmpty() ? "info" : worst.getFirst().getSeverity();
    }
  }

  /**
   * The number of alerts with the same rule, severity and status. The component names are the names of fields in the
   * body of a webhook.
   */
  record RuleCount(String rule, String severity, String status, int count) {}
}
