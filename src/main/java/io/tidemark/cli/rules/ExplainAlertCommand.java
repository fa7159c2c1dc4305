package io.tidemark.cli.rules;

import io.tidemark.cli.print.AlertPrinter;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.TopicReader;
import io.tidemark.event.Alert;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Says what an alert stands on: its course, and the records and values that decided.")
final class ExplainAlertCommand implements Callable<Integer> {

  @Parameters(paramLabel = "ID", description = "Id of an alert, or a fingerprint: its newest alert.")
  String id = "";

  @Mixin
  WatchTopicClient place = new WatchTopicClient();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public Integer call() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var steps = transitions();
    if (steps.isEmpty()) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "no alert has the id or fingerprint '" + TerminalText.text(id)
              + "'; 'tidemark tail alerts --from beginning --format json' shows ids");
    }
    out.println(AlertPrinter.of(steps));
    out.flush();
    return 0;
  }

  /** Of one alert, in order: those of the newest, where a fingerprint is asked for. */
  private List<Alert> transitions() {
    var found = new ArrayList<Alert>();
    new TopicReader(place.options.cluster().clientConfig(), List.of(place.topics().alerts()), place.options.registry())
        .readAll(each -> {
          if (each.value() instanceof Alert alert && (id.equals(alert.getId()) || id.equals(alert.getFingerprint()))) {
            found.add(alert);
          }
        });
    var newest = found.stream().max(Comparator.comparing(Alert::getEventTime)).map(Alert::getId).orElse("");
    return found.stream().filter(alert -> alert.getId().equals(newest)).toList();
  }
}
