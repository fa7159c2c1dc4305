package io.tidemark.cli.print;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints an alert in full: its fields, its transitions and its evidence. */
public final class AlertPrinter {

  private static final int LONGEST = 300;

  private AlertPrinter() {}

  /** Prints the transitions of one alert, oldest first. */
  public static String print(List<Alert> transitions) {
    var newest = transitions.getLast();
    var lines = new ArrayList<String>();
    lines.add(TerminalText.text(newest.getSummary(), LONGEST));
    line(lines, "id", newest.getId());
    line(lines, "rule", newest.getRule() + ", version " + newest.getRuleVersion() + ", " + newest.getSeverity());
    line(lines, "fingerprint", newest.getFingerprint());
    line(lines, "subject", newest.getSubject());
    line(lines, "silenced", newest.getSilenced());
    newest.getLabels().forEach((name, value) -> line(lines, "label " + name, value));
    newest.getAnnotations().forEach((name, value) -> line(lines, name, value));
    lines.add("transitions:");
    transitions.forEach(each -> lines.add("  " + each.getEventTime() + "  " + each.getStatus() + reason(each)));
    newest.getEvidence().forEach(each -> evidence(lines, each));
    return String.join("\n", lines);
  }

  private static void evidence(List<String> lines, Evidence evidence) {
    lines.add("evidence: %s, key %s%s, observed %s:".formatted(
        evidence.getTopic(),
        TerminalText.text(evidence.getKey()),
        evidence.getRevision() == null
            ? ""
            : ", revision " + evidence.getRevision() + " of generation " + evidence.getGeneration(),
        evidence.getObservedAt()));
    var width = evidence.getValues().keySet().stream().mapToInt(String::length).max().orElse(0);
    evidence.getValues().forEach(
        (path, value) -> lines.add("  " + path + " ".repeat(width - path.length()) + " = " + TerminalText.text(value)));
  }

  private static String reason(Alert transition) {
    var end = transition.getEndSummary() == null ? "" : "; " + TerminalText.text(transition.getEndSummary(), LONGEST);
    return transition.getReason() == null ? "" : ": " + transition.getReason() + end;
  }

  private static void line(List<String> lines, String name, @Nullable String value) {
    if (value != null) {
      lines.add("  " + name + ": " + TerminalText.text(value, LONGEST));
    }
  }
}
