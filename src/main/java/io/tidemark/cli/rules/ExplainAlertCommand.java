package io.tidemark.cli.rules;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.event.Alert;
import io.tidemark.event.Evidence;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints the transitions of an alert, and the records and values on which the rule decided. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Prints the transitions of an alert, and its evidence: the records and values on which the rule"
        + " decided.")
final class ExplainAlertCommand extends CliCommand implements Runnable {

  private static final int LONGEST = 300;

  @Parameters(paramLabel = "ID",
      description = "The id of an alert, or a fingerprint for the newest alert that has it.")
  String id = "";

  @Mixin
  WatchTopicClient watch = new WatchTopicClient();

  @Override
  public void run() {
    var transitions = transitions();
    if (transitions.isEmpty()) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "no alert has the id or fingerprint '" + TerminalText.text(id)
              + "'; 'tidemark tail alerts --from beginning --format json' shows ids");
    }
    out().println(print(transitions));
  }

  /**
   * Returns the records of one alert, oldest first. If the argument is a fingerprint, returns the records of the newest
   * alert with that fingerprint.
   */
  private List<Alert> transitions() {
    var found = new ArrayList<Alert>();
    watch.cluster.readAll(watch.topics().alerts(), record -> {
      if (record.value() instanceof Alert alert && (id.equals(alert.getId()) || id.equals(alert.getFingerprint()))) {
        found.add(alert);
      }
    });
    return ofNewest(found);
  }

  /** Returns the records of the newest alert. Of several alerts of the same time, the one read last is the newest. */
  static List<Alert> ofNewest(List<Alert> records) {
    var newest = records.stream().reduce((one, next) -> next.getEventTime().isBefore(one.getEventTime()) ? one : next)
        .map(Alert::getId).orElse("");
    return records.stream().filter(alert -> alert.getId().equals(newest)).toList();
  }

  /** Prints the transitions of one alert, oldest first. */
  static String print(List<Alert> transitions) {
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
    Alert before = null;
    for (var each : transitions) {
      lines.add("  " + each.getEventTime() + "  " + transition(before, each));
      before = each;
    }
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

  /** Describes a transition. A record that repeats the one before says that a silence of the alert began or ended. */
  private static String transition(@Nullable Alert before, Alert now) {
    var isRepeated = before != null && before.getStatus().equals(now.getStatus())
        && before.getEventTime().equals(now.getEventTime());
    if (now.getSilenced() == null) {
      return isRepeated ? "silence ended" : now.getStatus() + reason(now);
    }
    var silenced = "silenced by " + TerminalText.text(now.getSilenced(), LONGEST);
    return isRepeated ? silenced : now.getStatus() + ", " + silenced + reason(now);
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
