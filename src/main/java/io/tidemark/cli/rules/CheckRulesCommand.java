package io.tidemark.cli.rules;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.config.RuleSelection;
import io.tidemark.config.Settings;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.rule.file.ShippedRules;
import io.tidemark.source.SourceSettings;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    description = {
      "Says whether rules are right: every error with file, line, column and the nearest right name.",
      "With a configuration also which rules see nothing, or look too rarely, under its watch list, and what would"
          + " give them sight. Asks nobody."
    })
final class CheckRulesCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Files of rules.")
  List<Path> files = List.of();

  @Option(names = "--config", paramLabel = "FILE",
      description = "A configuration, whose own rules are checked with them.")
  @Nullable
  Path config;

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public Integer call() {
    var command = Objects.requireNonNull(spec).commandLine();
    if (files.isEmpty() && config == null) {
      throw new ParameterException(command, "nothing to check: name files of rules, or --config FILE, or both");
    }
    var settings = config == null ? null : Settings.read(config, System::getenv);
    try {
      var rules = rules(settings);
      rules.rules().forEach(rule -> command.getOut().println(RuleLine.of(rule)));
      memory(rules, command.getOut());
      var shipped = Set.copyOf(ShippedRules.names());
      var blind = settings == null
          ? 0
          : settings.sources().stream().mapToInt(each -> sight(each, rules, shipped)).sum();
      command.getOut().flush();
      return blind == 0 ? 0 : CommandFailure.PROBLEM_FOUND;
    } catch (RuleException e) {
      return RuleFiles.wrong(e, command.getErr());
    }
  }

  private RuleSet rules(@Nullable Settings settings) {
    var topics = new Topics("tidemark.", Retention.DEFAULT).ruleSchemas();
    var texts = files.stream().map(RuleFiles::read).toList();
    if (settings == null) {
      return RuleSetReader.read(texts, topics, List.of());
    }
    var own = settings.rules();
    var all = new ArrayList<>(own.documents());
    texts.stream().filter(text -> own.documents().stream().noneMatch(each -> each.text().equals(text.text())))
        .forEach(all::add);
    return new RuleSelection(own.shipped(), all, own.overrides()).compile(topics);
  }

  private static void memory(RuleSet rules, PrintWriter out) {
    for (var topic : new Topics("tidemark.", Retention.DEFAULT).ruleSchemas().keySet()) {
      var history = rules.history(topic);
      if (!history.isEmpty()) {
        var minutes = history.values().stream().mapToLong(length -> Math.max(1, length.toMinutes())).sum();
        out.printf("history kept of each key of %s: %d %s, up to %d minutes together%n",
            topic, history.size(), history.size() == 1 ? "figure" : "figures", minutes);
      }
    }
  }

  /** How many rules are blind or too slow, those shipped left out: nobody watches everything. */
  private int sight(SourceSettings source, RuleSet rules, Set<String> shipped) {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var sight = RuleCoverage.of(source);
    var complaining = rules.rules().stream().filter(rule -> !sight.problems(rule).isEmpty()).toList();
    var complaints = complaining.stream().flatMap(rule -> sight.problems(rule).stream()).toList();
    out.printf("source %s: %s%n", source.name(), complaints.isEmpty()
        ? "all rules have sight"
        : complaints.size() + " rules without sight, or too slow:");
    complaints.forEach(complaint -> out.println("  " + complaint));
    return (int) complaining.stream().filter(rule -> !shipped.contains(rule.name())).count();
  }
}
