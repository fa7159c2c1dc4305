package io.tidemark.cli.rules;

import io.tidemark.app.RunningComponents;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.command.OutputFormat;
import io.tidemark.cli.print.BacktestResult;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.cli.print.Terminal;
import io.tidemark.event.Alert;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.stream.Backtest;
import io.tidemark.stream.StreamSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs rules over recorded changes. */
@Command(
    name = "backtest",
    mixinStandardHelpOptions = true,
    description = {
      "Prints the alerts that rules fire over recorded changes. Runs the rules that were in force, or rules of files.",
      "Runs the same topology as the stream application, with separate topics, which are deleted at the end."
    })
final class BacktestCommand extends CliCommand implements Callable<Integer> {

  @Option(names = "--from", paramLabel = "TIME",
      description = "Start of the backtest: a duration before now such as 1h, a day such as 2026-03-10, or a time such"
          + " as 2026-03-10T12:00:00Z (default: a day before --to).")
  @Nullable
  String from;

  @Option(names = "--to", paramLabel = "TIME",
      description = "End of the backtest, exclusive, in the same forms as --from (default: now).")
  @Nullable
  String to;

  @Option(names = "--rules", paramLabel = "FILE", arity = "1..*",
      description = "Files of rules to run instead of the rules that were in force.")
  List<Path> files = List.of();

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: a table with charts; json: one document with every alert (default: ${DEFAULT-VALUE}).")
  OutputFormat format = OutputFormat.TEXT;

  @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
      description = "Number of stream threads (default: ${DEFAULT-VALUE}).")
  int threads = 2;

  @Mixin
  WatchTopicClient watch = new WatchTopicClient();

  @Override
  public Integer call() throws IOException {
    var end = to == null ? Instant.now() : time("--to", to);
    var begin = from == null ? end.minus(Duration.ofDays(1)) : time("--from", from);
    if (!begin.isBefore(end)) {
      throw wrongUsage("--from: must be before --to, which is " + end);
    }
    var rules = rules();
    var names = (rules == null ? inForce() : rules).rules().stream().map(Rule::name).collect(Collectors.toSet());
    var alerts = alerts(begin, end, rules == null ? null : RuleFormat.write(rules));
    var result = new BacktestResult(begin, end, alerts, names);
    out().println(format == OutputFormat.JSON
        ? result.json()
        : result.text(Terminal.system()));
    return 0;
  }

  private List<Alert> alerts(Instant begin, Instant end, @Nullable String rules) throws IOException {
    var name = UUID.randomUUID().toString().substring(0, 8);
    var states = Files.createTempDirectory("tidemark-backtest");
    try (var parts = RunningComponents.stoppingSilently();
        var bar = new ProgressBar(rawErr(), ProgressBar.isTerminal())) {
      var backtest = parts.add("the backtest",
          new Backtest(name, watch.cluster.topicsWithActualRetention(watch.source), watch.cluster.registry(),
              settings(states)));
      return backtest.alerts(begin, end, rules, bar::update);
    } finally {
      delete(states);
    }
  }

  private StreamSettings settings(Path states) {
    var cluster = watch.cluster.cluster();
    var properties = new HashMap<String, String>();
    cluster.clientConfig().forEach((key, value) -> properties.put(key, value.toString()));
    return new StreamSettings(cluster.bootstrapServers(), states, threads, Duration.ofSeconds(1), properties);
  }

  /** Returns the rules of the files, or null to use the rules that were in force. */
  private @Nullable RuleSet rules() {
    if (files.isEmpty()) {
      return null;
    }
    var documents = files.stream().map(RuleFiles::read).toList();
    return RuleSetReader.read(documents, watch.topics().ruleSchemas(), List.of());
  }

  /** Returns the rules that are in force now. Other rules may have been in force at the time of the changes. */
  private RuleSet inForce() {
    try (var reader = watch.reader()) {
      return reader.read().inForce();
    }
  }

  private void delete(Path folder) {
    try {
      Utils.delete(folder.toFile());
    } catch (IOException e) {
      complain("cannot delete the temporary folder " + folder + "; delete it by hand");
    }
  }
}
