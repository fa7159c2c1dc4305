package io.tidemark.cli.plan;

import io.tidemark.app.CommandFailure;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.cli.print.Terminal;
import io.tidemark.event.NameSuggestion;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Writes a first configuration that fits the budget of a plan. */
@Command(
    name = "init",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a first configuration, which fits the budget of a plan, with the arithmetic as comments.",
      "On a terminal, it asks for options that are missing. 'tidemark plan' shows what the configuration does."
    })
public final class InitCommand extends CliCommand implements Runnable {

  /** Maximum columns of a comment line in the file, without the comment sign. */
  private static final int COLUMNS_OF_COMMENTS = 120;

  @Option(names = "--plan", paramLabel = "PLAN",
      description = "The plan of the key: demo, basic, analyst, lite or pro.")
  @Nullable
  String plan;

  @Option(names = "--for", paramLabel = "PURPOSE",
      description = "What the data is for: alerts (new and trending pools), prices (the largest pools), or everything.")
  @Nullable
  String purpose;

  @Option(names = "--networks", paramLabel = "NETWORK", split = ",",
      description = "Networks, separated by commas (default if there is no terminal: solana,base).")
  @Nullable
  List<String> networks;

  @Option(names = "--base-url", paramLabel = "URL",
      description = "The address of the service (default: CoinGecko's address for the plan).")
  @Nullable
  String baseUrl;

  @Option(names = "--bootstrap", paramLabel = "HOST:PORT",
      description = "Kafka's bootstrap server (default: the embedded Kafka, to try it out).")
  @Nullable
  String bootstrap;

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The file to write (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Option(names = "--force", description = "Replaces the file if it exists.")
  boolean force;

  private final BufferedReader terminal = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

  @Override
  public void run() {
    var chosenPlan = oneOf("--plan", "Which plan does your key have", plan, FirstConfiguration.PLANS);
    var chosenPurpose = oneOf("--for", "What is the data for", purpose, FirstConfiguration.PURPOSES);
    var first = new FirstConfiguration(chosenPlan, chosenPurpose, networks(), baseUrl, bootstrap);
    var settings = Settings.parse(config.toString(), first.text(List.of()), name -> null);
    var source = settings.sources().getFirst();
    var forecast = SourcePlan.of(source, Map.of());
    write(first.text(PlanPrinter.lines(forecast, Terminal.of(COLUMNS_OF_COMMENTS, false))));
    out().println("wrote " + config);
    PlanPrinter.lines(forecast, Terminal.system()).forEach(out()::println);
    Terminal.system().wrapped("Next: export TIDEMARK_SOURCES_0_KEYS_0_KEY=<your key>, then 'tidemark check --config "
        + config + "', which sends one request to " + source.client().baseUrl() + ", and 'tidemark run --config "
        + config + "'.")
        .forEach(out()::println);
    out().flush();
  }

  private List<String> networks() {
    var given = networks;
    if (given == null) {
      given = ProgressBar.isInteractive()
          ? List.of(ask("Networks, separated by commas", String.join(",", FirstConfiguration.NETWORKS)).split(","))
          : FirstConfiguration.NETWORKS;
    }
    var names = given.stream().map(String::strip).filter(each -> !each.isEmpty()).distinct().toList();
    var wrong = names.stream().filter(each -> !each.matches("[a-z0-9][a-z0-9_-]{0,40}")).findFirst();
    if (names.isEmpty() || wrong.isPresent()) {
      throw wrongUsage("--networks: must be ids of networks such as solana, base, eth, bsc or polygon_pos"
          + (wrong.isPresent() ? ", not '" + wrong.get() + "'" : ""));
    }
    return names;
  }

  private String oneOf(String option, String question, @Nullable String given, List<String> allowed) {
    if (given == null && !ProgressBar.isInteractive()) {
      throw wrongUsage(option + " is missing; it must be one of " + String.join(", ", allowed));
    }
    var answer = (given == null ? ask(question + ": " + String.join(", ", allowed), allowed.getFirst()) : given)
        .strip().toLowerCase(Locale.ROOT);
    if (!allowed.contains(answer)) {
      var nearest = NameSuggestion.nearest(answer, allowed);
      throw wrongUsage("%s: '%s' is not one of %s%s".formatted(option, answer, String.join(", ", allowed),
          nearest == null ? "" : "; did you mean '" + nearest + "'?"));
    }
    return answer;
  }

  private String ask(String question, String standard) {
    out().print(question + " [" + standard + "]? ");
    out().flush();
    try {
      var line = terminal.readLine();
      return line == null || line.isBlank() ? standard : line;
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "the terminal cannot be read: " + e.getMessage());
    }
  }

  private void write(String text) {
    try {
      if (force) {
        Files.writeString(config, text);
      } else {
        Files.writeString(config, text, StandardOpenOption.CREATE_NEW);
      }
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, config + " exists; --force replaces it");
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, config + " cannot be written: " + e.getMessage());
    }
  }
}
