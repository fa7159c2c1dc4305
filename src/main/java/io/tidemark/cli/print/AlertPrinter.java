package io.tidemark.cli.print;

import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An alert in full, for people: what it says, how it went, and what it stands on. */
public final class AlertPrinter {

  private static final int LONGEST = 300;

  private AlertPrinter() {}

  /** @param steps of one alert, oldest first */
  public static String of(List<Alert> steps) {
    var newest = steps.getLast();
    var lines = new ArrayList<String>();
    lines.add(TerminalText.text(newest.getSummary(), LONGEST));
    line(lines, "id", newest.getId());
    line(lines, "rule", newest.getRule() + ", version " + newest.getRuleVersion() + ", " + newest.getSeverity());
    line(lines, "fingerprint", newest.getFingerprint());
    line(lines, "subject", newest.getSubject());
    line(lines, "silenced", newest.getSilenced());
    newest.getLabels().forEach((name, value) -> line(lines, "label " + name, value));
    newest.getAnnotations().forEach((name, value) -> line(lines, name, value));
    lines.add("course:");
    steps.forEach(step -> lines.add("  " + step.getEventTime() + "  " + step.getStatus() + reason(step)));
    newest.getEvidence().forEach(each -> evidence(lines, each));
    return String.join("\n", lines);
  }

  private static void evidence(List<String> lines, Evidence evidence) {
    lines.add("stands on %s, key %s%s, seen %s:".formatted(
        evidence.getTopic(),
        TerminalText.text(evidence.getKey()),
        evidence.getRevision() == null ? ""
            : ", revision " + evidence.getRevision() + " of life " + evidence.getGeneration(),
        evidence.getObservedAt()));
    var width = evidence.getValues().keySet().stream().mapToInt(String::length).max().orElse(0);
    evidence.getValues().forEach(
        (path, value) -> lines.add("  " + path + " ".repeat(width - path.length()) + " = " + TerminalText.text(value)));
  }

  private static String reason(Alert step) {
    return step.getReason() == null ? "" : ": " + step.getReason();
  }

  private static void line(List<String> lines, String name, @Nullable String value) {
    if (value != null) {
      lines.add("  " + name + ": " + TerminalText.text(value, LONGEST));
    }
  }
}
