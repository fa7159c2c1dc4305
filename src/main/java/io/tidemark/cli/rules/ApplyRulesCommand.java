package io.tidemark.cli.rules;

import io.tidemark.cli.command.CliCommand;
import io.tidemark.rule.file.RuleAnnouncements;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts the rules of a file into force. */
@Command(
    name = "apply",
    mixinStandardHelpOptions = true,
    description = {
      "Puts the rules of a file into force while the program runs, in addition to the rules of the configuration."
          + " A rule replaces a rule of the configuration that has the same name.",
      "If the file is applied again, its rules replace its earlier rules. 'rules drop' withdraws the rules of a file."
    })
final class ApplyRulesCommand extends CliCommand implements Runnable {

  @Parameters(paramLabel = "FILE", description = "A file of rules, which are applied under the name of the file.")
  Path file = Path.of("rules.yaml");

  @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "20",
      description = "How long to wait until the rules are in force (default: ${DEFAULT-VALUE}).")
  int wait = 20;

  @Mixin
  WatchTopicClient watch = new WatchTopicClient();

  @Override
  public void run() {
    var name = RuleFiles.name(file);
    var document = RuleFiles.read(file);
    var topics = watch.topics().ruleSchemas();
    try (var reader = watch.reader()) {
      var before = reader.read().current();
      var rules = before.check(name, document, topics);
      before.replacedBy(name, rules)
          .forEach(each -> out().println(each + ": replaces that of the configuration"));
      var done = before.carriedOut(name, rules, watch::configuredRules);
      watch.publish(RuleAnnouncements.RULES, name, document.text());
      watch.await(reader, done, "put the rules in force", "in force",
          Duration.ofSeconds(wait), out(), err());
    }
  }
}
