package io.tidemark.cli.rules;

import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.AlertPrinter;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.event.Alert;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Prints an alert with its evidence. */
@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Prints the transitions of an alert, and its evidence: the records and values that decided.")
final class ExplainAlertCommand extends CliCommand implements Runnable {

  @Parameters(paramLabel = "ID", description = "The id of an alert, or a fingerprint for its newest alert.")
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
    out().println(AlertPrinter.print(transitions));
  }

  /** The records of one alert, oldest first; of the newest alert where a fingerprint is given. */
  private List<Alert> transitions() {
    var found = new ArrayList<Alert>();
    watch.cluster.readAll(watch.topics().alerts(), record -> {
      if (record.value() instanceof Alert alert && (id.equals(alert.getId()) || id.equals(alert.getFingerprint()))) {
        found.add(alert);
      }
    });
    var newest = found.stream().max(Comparator.comparing(Alert::getEventTime)).map(Alert::getId).orElse("");
    return found.stream().filter(alert -> alert.getId().equals(newest)).toList();
  }
}
