package io.tidemark.notify;

import io.tidemark.event.Alert;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The selection of alerts for a receiver. If {@code rules} or {@code labels} is empty, it excludes no alert.
 *
 * @param rules names of rules
 * @param severity the lowest severity that matches: info, warning or critical
 * @param labels the accepted values of each label, by the name of the label
 */
public record AlertMatcher(Set<String> rules, String severity, Map<String, Set<String>> labels) {

  /** The severities, from lowest to highest. */
  public static final List<String> SEVERITIES = List.of("info", "warning", "critical");

  boolean matches(Alert alert) {
    return isNotifiable(alert)
        && (rules.isEmpty() || rules.contains(alert.getRule()))
        && SEVERITIES.indexOf(alert.getSeverity()) >= SEVERITIES.indexOf(severity)
        && labels.entrySet().stream().allMatch(label -> hasLabel(alert, label.getKey(), label.getValue()));
  }

  /**
   * Returns whether an alert may be delivered. Pending alerts, alerts that resolved without firing, and silenced
   * alerts are not delivered. A resolved alert is delivered even while silenced, because the alert may have been
   * delivered as firing before the silence began.
   */
  private static boolean isNotifiable(Alert alert) {
    return switch (alert.getStatus()) {
      case "fired", "firing" -> alert.getSilenced() == null;
      case "resolved" -> alert.getFiredAt() != null;
      default -> false;
    };
  }

  private static boolean hasLabel(Alert alert, String label, Set<String> values) {
    var value = alert.getLabels().get(label);
    return value != null && values.contains(value);
  }
}
