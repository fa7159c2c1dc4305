package io.tidemark.receiver;

import io.tidemark.event.Alert;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts of alerts by rule and severity, with the worst of them by name; bounded, however many they are. */
final class AlertCounts {

  private static final int NAMED = 10;
  private static final Comparator<Alert> WORST_FIRST =
      Comparator.<Alert>comparingInt(alert -> -AlertMatcher.SEVERITIES.indexOf(alert.getSeverity()))
          .thenComparing(Alert::getEventTime);

  private final Map<String, RuleCount> byRule = new TreeMap<>();
  private final List<Alert> worst = new ArrayList<>();
  private int late;

  /** How often a rule said something. */
  record RuleCount(String rule, String severity, String status, int count) {}

  void add(Alert alert, boolean isLate) {
    var key = alert.getRule() + " " + alert.getSeverity() + " " + alert.getStatus();
    byRule.merge(key, new RuleCount(alert.getRule(), alert.getSeverity(), alert.getStatus(), 1),
        (old, one) -> new RuleCount(old.rule(), old.severity(), old.status(), old.count() + 1));
    worst.add(alert);
    worst.sort(WORST_FIRST);
    if (worst.size() > NAMED) {
      worst.removeLast();
    }
    late += isLate ? 1 : 0;
  }

  int total() {
    return byRule.values().stream().mapToInt(RuleCount::count).sum();
  }

  /** Those that came after the time they should have been told in. */
  int late() {
    return late;
  }

  /** The most severe first, of these the most. */
  List<RuleCount> byRule() {
    return byRule.values().stream()
        .sorted(Comparator.<RuleCount>comparingInt(each -> -AlertMatcher.SEVERITIES.indexOf(each.severity()))
            .thenComparingInt(each -> -each.count()))
        .toList();
  }

  /** The worst of them, the worst first. */
  List<Alert> worst() {
    return List.copyOf(worst);
  }

  String severity() {
    return worst.isEmpty() ? "info" : worst.getFirst().getSeverity();
  }
}
