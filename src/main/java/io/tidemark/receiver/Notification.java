package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.time.Instant;
import java.util.List;

/** The content of one message to a receiver: a single alert, or a digest of many. */
public sealed interface Notification {

  /** Stays the same at every attempt to deliver it; the firing and the resolved alert have two. */
  String id();

  record SingleAlert(Alert alert) implements Notification {

    @Override
    public String id() {
      return alert.getId() + "/" + alert.getStatus();
    }
  }

  /**
   * Alerts that were too many, or too late, for notifications of their own.
   *
   * @param late alerts that are older than the receiver's {@code deliver-within}
   * @param counts the most severe first, among these the most frequent
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

  /** How many alerts of a rule have a severity and a status. */
  record RuleCount(String rule, String severity, String status, int count) {}
}
