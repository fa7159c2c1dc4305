package io.tidemark.cli.rules;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.ColumnTable;
import io.tidemark.cli.print.Terminal;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.event.NameSuggestion;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.rule.Mute;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.Silence;
import io.tidemark.rule.expression.Vocabulary;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.RuleFailure;
import io.tidemark.rule.file.ShippedRules;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands about rules. Short subcommands are methods of this class. */
@Command(
    name = "rules",
    mixinStandardHelpOptions = true,
    description = "Checks, tests, applies and lists the rules that make alerts, runs them on recorded changes, and silences"
        + " alerts.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      CheckRulesCommand.class,
      SilenceCommand.class,
      BacktestCommand.class,
      ExplainAlertCommand.class,
      TestRulesCommand.class
    })
public final class RulesCommand extends CliCommand {

  /** The topics of a source with the default prefix. */
  static final Topics TOPICS = new Topics("tidemark.", Retention.DEFAULT);

  private static final Duration DROP_TIMEOUT = Duration.ofSeconds(20);

  @Command(mixinStandardHelpOptions = true,
      description = "Lists the rules in force, each with its version and origin, the rules that failed, and the"
          + " silences.")
  void list(@Mixin WatchTopicClient watch) {
    var announcements = watch.announcements();
    var current = announcements.current();
    var rules = current.rules();
    out().println(rules.version() == 0
        ? "no rules are announced yet: no instance has owned the source so far"
        : "rules in force, version " + rules.version() + ":");
    var table = ColumnTable.ofTexts("rule", "topic", "kind", "severity", "version, origin");
    rules.rules().forEach(rule -> {
      var file = current.fileOf(rule.name());
      table.add(rule.name(), rule.on(), rule.kind().text(), rule.severity(),
          rule.version() + ", " + (file == null ? "configuration" : "applied as " + file));
    });
    table.lines(Terminal.system()).forEach(out()::println);
    rules.mutes().forEach(each -> out().println(line(each)));
    current.outOfForce().forEach(each -> out().println(line(each)));
    announcements.silences().stream()
        .filter(silence -> silence.until().isAfter(Instant.now()))
        .forEach(silence -> out().println(line(silence)));
  }

  @Command(mixinStandardHelpOptions = true,
      description = {
        "Puts the rules of a file into force while the program runs, in addition to the rules of the configuration."
            + " A rule replaces a rule of the configuration that has the same name.",
        "If the file is applied again, its rules replace its earlier rules. 'rules drop' withdraws the rules of a file."
      })
  void apply(
      @Parameters(paramLabel = "FILE",
          description = "A file of rules, which are applied under the name of the file.") Path file,
      @Option(names = "--wait", paramLabel = "SECONDS", defaultValue = "20",
          description = "How long to wait until the rules are in force (default: ${DEFAULT-VALUE}).") int wait,
      @Mixin WatchTopicClient watch) {
    var name = RuleFiles.name(file);
    var document = RuleFiles.read(file);
    var topics = watch.topics().ruleSchemas();
    try (var reader = watch.reader()) {
      var before = reader.read().current();
      var rules = before.check(name, document, topics);
      before.replacedBy(name, rules).forEach(each -> out().println(each + ": replaces that of the configuration"));
      var done = before.carriedOut(name, rules, watch::configuredRules);
      watch.publish(RuleAnnouncements.RULES, name, document.text(), before.commandTime(WatchTopicClient.now()));
      watch.await(reader, done, "put the rules in force", "in force", Duration.ofSeconds(wait), out(), err());
    }
  }

  @Command(mixinStandardHelpOptions = true,
      description = "Withdraws the rules of a file that was applied. Rules of the configuration that the file replaced"
          + " are in force again.")
  void drop(
      @Parameters(paramLabel = "NAME",
          description = "The name of the rule file without folder and extension, as 'rules list'"
              + " prints it.") String name,
      @Mixin WatchTopicClient watch) {
    try (var reader = watch.reader()) {
      var before = reader.read().current();
      before.applied(name);
      var done = before.carriedOut(name, RuleSet.EMPTY, watch::configuredRules);
      watch.publish(RuleAnnouncements.RULES, name, null);
      watch.await(reader, done, "take the rules out of force", "dropped", DROP_TIMEOUT, out(), err());
    }
  }

  @Command(mixinStandardHelpOptions = true,
      description = "Prints the names that rules on a topic can use, with their types. Without TOPIC, lists the"
          + " topics.")
  void vocabulary(
      @Parameters(paramLabel = "TOPIC", arity = "0..1",
          description = "A topic without prefix, such as pool.changes.") @Nullable String topic) {
    var topics = TOPICS.ruleSchemas();
    if (topic == null) {
      topics.keySet().forEach(out()::println);
      return;
    }
    var schema = topics.get(topic);
    if (schema == null) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "rules cannot read the topic '" + topic + "'; "
          + NameSuggestion.suggestion(topic, topics.keySet(), "'tidemark rules vocabulary' lists the topics"));
    }
    Vocabulary.of(schema).types().forEach((name, type) -> out().println("%-60s %s".formatted(name, type)));
  }

  @Command(mixinStandardHelpOptions = true,
      description = "Prints the JSON Schema of rule files, with which editors complete and check rule files.")
  void schema() {
    out().print(ShippedRules.schema());
    out().flush();
  }

  private static String line(RuleFailure failure) {
    return ("%-22s out of force since %s: %s (version %d, topic %s, key %s);"
        + " change the rule, or apply it again").formatted(
            failure.rule(),
            failure.at(),
            TerminalText.text(failure.reason()),
            failure.version(),
            failure.topic(),
            TerminalText.text(failure.key()));
  }

  private static String line(Mute mute) {
    return TerminalText.text("mute %s: from %s to %s (%s) on %s; rules %s, severities %s, labels %s".formatted(
        mute.name(), mute.from(), mute.to(), mute.zone(), new TreeSet<>(mute.days()), mute.rules(), mute.severities(),
        mute.labels()));
  }

  private static String line(Silence silence) {
    return "silence %s until %s: %s%s%s (by %s; comment: %s)".formatted(
        silence.id(),
        silence.until(),
        silence.rule() == null ? "" : "rule " + TerminalText.text(silence.rule()) + " ",
        silence.subject() == null ? "" : "subject " + TerminalText.text(silence.subject()) + " ",
        silence.labels().isEmpty() ? "" : "labels " + TerminalText.text(silence.labels().toString()),
        TerminalText.text(silence.who()),
        TerminalText.text(silence.comment()));
  }
}
