package io.tidemark.cli.rules;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.rule.Rule;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "apply",
    mixinStandardHelpOptions = true,
    description = {
      "Puts the rules of a file into force while all runs, beside those of the configuration; a rule with the name of"
          + " one of those replaces it.",
      "Applied again, the file replaces what it said before. 'rules drop' takes it back."
    })
final class ApplyRulesCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", description = "A file of rules; its name is what they are known by.")
  Path file = Path.of("rules.yaml");

  @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "20",
      description = "How long to wait until they are in force (default: ${DEFAULT-VALUE}).")
  int wait = 20;

  @Mixin
  WatchTopicClient place = new WatchTopicClient();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public Integer call() {
    var command = Objects.requireNonNull(spec).commandLine();
    var name = RuleFiles.name(file);
    var text = RuleFiles.read(file);
    try {
      var rules = RuleSetReader.read(List.of(text), place.topics().ruleSchemas(), List.of());
      var before = place.inForce();
      RuleFormat.parse(RuleFormat.write(before.inForce().with(rules)), place.topics().ruleSchemas()); // not too much together
      refuseNamesOfOthers(rules, name, before);
      replaced(rules, name, before, command.getOut());
      place.publish(RuleAnnouncements.RULES, name, text.text());
      return AnnouncementWait.of(place, Duration.ofSeconds(wait), command.getOut()).rules(rules);
    } catch (RuleException e) {
      return RuleFiles.wrong(e, command.getErr());
    }
  }

  private void refuseNamesOfOthers(RuleSet rules, String name, RuleAnnouncements before) {
    before.appliedFiles().forEach((other, applied) -> {
      var both = names(rules).stream().filter(names(applied)::contains).collect(Collectors.joining(", "));
      if (!other.equals(name) && !both.isEmpty()) {
        throw new CommandFailure(CommandFailure.PROBLEM_FOUND, file + ": " + both + ": applied before, in '" + other
            + "'; 'tidemark rules drop " + other + "' takes that back");
      }
    });
  }

  private static void replaced(RuleSet rules, String name, RuleAnnouncements before, PrintWriter out) {
    var own = before.appliedFiles().getOrDefault(name, RuleSet.EMPTY);
    names(before.inForce()).stream()
        .filter(each -> names(rules).contains(each) && !names(own).contains(each))
        .forEach(each -> out.println(each + ": replaces the configuration's"));
  }

  private static List<String> names(RuleSet rules) {
    return rules.rules().stream().map(Rule::name).toList();
  }
}
