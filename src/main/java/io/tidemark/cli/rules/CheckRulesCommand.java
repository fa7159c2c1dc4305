package io.tidemark.cli.rules;

import io.tidemark.app.CommandFailure;
import io.tidemark.app.RuleCoverage;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.ShippedRules;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Checks rules, and whether a watch list provides the data that the rules need. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Checks rules: reports every error with file, line, column and the nearest valid name.",
      "With a configuration, also lists the rules that get no data from its watch list, or too rarely, and what to"
          + " watch for these rules. Connects to nothing."
    })
final class CheckRulesCommand extends CliCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Files of rules.")
  List<Path> files = List.of();

  @Option(names = "--config", paramLabel = "FILE",
      description = "A configuration, whose rules are checked together with the files. A rule of a file replaces one of"
          + " the same name, as 'rules apply' does.")
  @Nullable
  Path config;

  @Override
  public Integer call() {
    if (files.isEmpty() && config == null) {
      throw wrongUsage("nothing to check: name files of rules, or --config FILE, or both");
    }
    var settings = config == null ? null : Settings.readForKafka(config, System::getenv);
    var rules = rules(settings);
    rules.rules().forEach(rule -> out().printf(
        "%-22s on %-22s %-9s %s%n", rule.name(), rule.on(), rule.kind().text(), rule.severity()));
    printHistory(rules);
    return settings == null || isCovered(settings.sources(), rules) ? 0 : CommandFailure.PROBLEM_FOUND;
  }

  /** Returns the rules of the files, which replace those of the configuration with the same name, as if applied. */
  private RuleSet rules(@Nullable Settings settings) {
    var topics = RulesCommand.TOPICS.ruleSchemas();
    var given = RuleSetReader.read(files.stream().map(RuleFiles::read).toList(), topics, List.of());
    if (settings == null) {
      return given;
    }
    var together = settings.rules().compile(topics).with(given);
    RuleSetReader.checkLimits(together, topics);
    return together;
  }

  /** Prints how much history the rules need, which determines their memory. */
  private void printHistory(RuleSet rules) {
    for (var topic : RulesCommand.TOPICS.ruleSchemas().keySet()) {
      var history = rules.history(topic);
      if (!history.isEmpty()) {
        var minutes = history.values().stream().mapToLong(length -> Math.max(1, length.toMinutes())).sum();
        out().printf("history for each key of %s: %s, up to %d minutes in total%n",
            topic, TerminalText.counted(history.size(), "attribute"), minutes);
      }
    }
  }

  /**
   * Prints the rules that get no data from a source, or too rarely. Returns whether each rule gets enough from at least
   * one source, except shipped rules, since no watch list covers all of them.
   */
  private boolean isCovered(List<SourceSettings> sources, RuleSet rules) {
    var uncovered = new HashSet<>(rules.names());
    ShippedRules.names().forEach(uncovered::remove);
    sources.forEach(source -> uncovered.retainAll(printUncovered(source, rules)));
    return uncovered.isEmpty();
  }

  /** Prints the rules that get no data from a source, or too rarely, and returns their names. */
  private List<String> printUncovered(SourceSettings source, RuleSet rules) {
    var coverage = RuleCoverage.of(source.watch(), source.limits());
    var uncovered = rules.rules().stream().filter(rule -> coverage.problem(rule) != null).toList();
    out().printf("source %s: %s%n", source.name(), uncovered.isEmpty()
        ? "all rules have data"
        : uncovered.size() + " rules get no data, or get data too rarely:");
    uncovered.forEach(rule -> out().println("  " + coverage.problem(rule)));
    return uncovered.stream().map(Rule::name).toList();
  }
}
