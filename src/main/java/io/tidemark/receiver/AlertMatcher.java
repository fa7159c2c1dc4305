package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which alerts a receiver wants; what is empty asks for nothing.
 *
 * @param rules names of rules
 * @param severity the least severity: info, warning or critical
 * @param labels values that a label may have, by its name
 */
public record AlertMatcher(Set<String> rules, String severity, Map<String, Set<String>> labels) {

  public static final AlertMatcher ALL = new AlertMatcher(Set.of(), "info", Map.of());

  /** From the least to the most. */
  public static final List<String> SEVERITIES = List.of("info", "warning", "critical");

  boolean matches(Alert alert) {
    return isNotifiable(alert)
        && (rules.isEmpty() || rules.contains(alert.getRule()))
        && SEVERITIES.indexOf(alert.getSeverity()) >= SEVERITIES.indexOf(severity)
        && labels.entrySet().stream().allMatch(label -> hasLabel(alert, label.getKey(), label.getValue()));
  }

  /**
   * What only may become trouble, what never became any, and what someone has silenced, is for nobody. An end is told
   * all the same: an alert does not say when its silence began, and what was told before must not stay open.
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
