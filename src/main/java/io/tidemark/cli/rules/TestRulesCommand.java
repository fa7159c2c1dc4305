package io.tidemark.cli.rules;

import io.tidemark.app.CommandFailure;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.event.Alert;
import io.tidemark.event.DurationFormat;
import io.tidemark.rule.ConditionExplainer;
import io.tidemark.rule.RuleSet;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleTestFile;
import io.tidemark.rule.file.RuleTestFile.ExpectedAlert;
import io.tidemark.rule.file.RuleTestFile.RuleTest;
import io.tidemark.stream.VirtualTopology;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tests rules on the records of files, in virtual time. */
@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the tests in files: on the records of a test, the rules must fire exactly the alerts that the test expects."
          + " Says why an expected alert did not fire. Connects to nothing.",
      "The exit code is 0 if all alerts are as expected, 1 if there are differences, 2 if a file is wrong."
    })
final class TestRulesCommand extends CliCommand implements Callable<Integer> {

  @Parameters(paramLabel = "FILE", arity = "1..*", description = "Files of tests.")
  List<Path> files = List.of();

  @Override
  public Integer call() {
    var exitCode = 0;
    var inputs = VirtualTopology.inputs(RulesCommand.TOPICS);
    try {
      for (var file : files) {
        var read = RuleTestFile.read(RuleFiles.read(file), RulesCommand.TOPICS.ruleSchemas(), inputs);
        for (var test : read.tests()) {
          var differences = differences(test, read.rules());
          exitCode = differences.isEmpty() ? exitCode : CommandFailure.PROBLEM_FOUND;
          out().println((differences.isEmpty() ? "ok      " : "FAILED  ") + file + ": " + test.name());
          differences.forEach(out()::println);
        }
      }
    } catch (RuleException e) {
      e.problems().forEach(this::complain);
      return CommandFailure.WRONG_USAGE;
    }
    return exitCode;
  }

  /** Returns a line for each missing alert, followed by the reasons, and for each alert that is not expected. */
  private static List<String> differences(RuleTest test, RuleSet rules) {
    var alerts = VirtualTopology.alerts(RulesCommand.TOPICS, rules, test);
    var unexpected = new ArrayList<>(alerts);
    var missing = test.alerts().stream().filter(each -> !removeFirst(unexpected, each)).toList();
    var probes = rules.rules().stream()
        .filter(rule -> missing.stream().anyMatch(each -> each.rule().equals(rule.name())))
        .map(rule -> ConditionExplainer.of(rule,
            Objects.requireNonNull(RulesCommand.TOPICS.ruleSchemas().get(rule.on()))))
        .toList();
    var probing = rules.with(new RuleSet(1, probes.stream().map(ConditionExplainer::rule).toList(), List.of()));
    var probed = probes.isEmpty()
        ? List.<Alert>of()
        : VirtualTopology.alerts(RulesCommand.TOPICS, probing, test);
    var lines = new ArrayList<String>();
    for (var expected : missing) {
      lines.add("  missing: %s, %s of %s, %s, labels %s".formatted(
          time(expected.at()), expected.rule(), expected.key(), expected.status(), expected.labels()));
      probes.stream().filter(each -> each.rule().name().equals(expected.rule()))
          .forEach(probe -> lines.addAll(reasons(expected, probe, probed)));
      alerts.stream().filter(each -> isAbout(each, expected)).forEach(each -> lines.add("    found: " + line(each)));
    }
    unexpected.stream().filter(each -> each.getStatus().matches("fired|firing"))
        .forEach(each -> lines.add("  unexpected: " + line(each)));
    return lines;
  }

  private static List<String> reasons(ExpectedAlert missing, ConditionExplainer probe, List<Alert> probed) {
    return probed.stream()
        .filter(each -> isAbout(each, missing) && !each.getEventTime().isAfter(missing.at()))
        .reduce((one, other) -> other)
        .map(last -> probe.explain(last).stream().map(each -> "    at " + time(last.getEventTime()) + ", " + each)
            .toList())
        .orElse(
            List.of("    no record of " + probe.rule().on() + " with this key until then (a baseline does not count)"));
  }

  private static boolean removeFirst(List<Alert> alerts, ExpectedAlert expected) {
    return alerts.stream()
        .filter(alert -> isAbout(alert, expected) && alert.getEventTime().equals(expected.at())
            && alert.getStatus().equals(expected.status())
            && alert.getLabels().entrySet().containsAll(expected.labels().entrySet())
            && Objects.equals(alert.getSilenced(), expected.silenced()))
        .findFirst()
        .map(alerts::remove)
        .orElse(false);
  }

  private static boolean isAbout(Alert alert, ExpectedAlert expected) {
    return alert.getRule().equals(expected.rule()) && alert.getSubject().equals(expected.key());
  }

  private static String line(Alert alert) {
    return "%s, %s of %s, %s%s, labels %s: %s".formatted(time(alert.getEventTime()), alert.getRule(),
        alert.getSubject(), alert.getStatus(), (alert.getReason() == null ? "" : " (" + alert.getReason() + ")")
            + (alert.getSilenced() == null ? "" : ", silenced by " + alert.getSilenced()),
        alert.getLabels(), alert.getSummary());
  }

  /** Returns a time as tests write it: a duration after the start, or a time. */
  private static String time(Instant at) {
    var since = Duration.between(RuleTestFile.START, at);
    return since.isNegative() || since.toMillis() % 1000 != 0 || since.toDays() > 30
        ? at.toString()
        : DurationFormat.format(since);
  }
}
