package io.tidemark.cli.rules;

import io.tidemark.cli.print.TerminalText;
import io.tidemark.rule.Rule;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the rules in force, each with its version and where it is from, and the silences.")
final class ListRulesCommand implements Runnable {

  @Mixin
  WatchTopicClient place = new WatchTopicClient();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    var inForce = place.inForce();
    var announced = inForce.inForce();
    out.println(announced.version() == 0
        ? "no rules were announced yet: no owner of the source has started"
        : "rules in force, version " + announced.version() + ":");
    announced.rules().forEach(
        rule -> out.println("%s  version %d, %s".formatted(RuleLine.of(rule), rule.version(), from(rule, inForce))));
    inForce.silences().stream().filter(each -> each.until().isAfter(Instant.now()))
        .forEach(each -> out.println(line(each)));
    out.flush();
  }

  private static String from(Rule rule, RuleAnnouncements inForce) {
    return inForce.appliedFiles().entrySet().stream()
        .filter(file -> file.getValue().rules().stream().anyMatch(each -> each.name().equals(rule.name())))
        .map(file -> "applied as " + file.getKey())
        .findFirst()
        .orElse("of the configuration");
  }

  private static String line(Silence silence) {
    return "silence %s until %s: %s%s%s (%s: %s)".formatted(
        silence.id(),
        silence.until(),
        silence.rule() == null ? "" : "rule " + TerminalText.text(silence.rule()) + " ",
        silence.subject() == null ? "" : "subject " + TerminalText.text(silence.subject()) + " ",
        silence.labels().isEmpty() ? "" : "labels " + TerminalText.text(silence.labels().toString()),
        TerminalText.text(silence.who()),
        TerminalText.text(silence.comment()));
  }
}
