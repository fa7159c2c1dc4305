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
public record Match(Set<String> rules, String severity, Map<String, Set<String>> labels) {

  public static final Match ALL = new Match(Set.of(), "info", Map.of());

  /** From the least to the most. */
  public static final List<String> SEVERITIES = List.of("info", "warning", "critical");

  /** What only may become trouble, and what someone has silenced, is for nobody. */
  private static final Set<String> TOLD = Set.of("fired", "firing", "resolved");

  boolean wants(Alert alert) {
    return TOLD.contains(alert.getStatus())
        && (rules.isEmpty() || rules.contains(alert.getRule()))
        && SEVERITIES.indexOf(alert.getSeverity()) >= SEVERITIES.indexOf(severity)
        && labels.entrySet().stream().allMatch(label -> has(alert, label.getKey(), label.getValue()));
  }

  private static boolean has(Alert alert, String label, Set<String> values) {
    var value = alert.getLabels().get(label);
    return value != null && values.contains(value);
  }
}
