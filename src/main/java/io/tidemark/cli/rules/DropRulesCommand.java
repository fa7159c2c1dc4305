package io.tidemark.cli.rules;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.yaml.Spelling;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "drop",
    mixinStandardHelpOptions = true,
    description = "Takes back the rules of a file that was applied; those of the configuration that it replaced are in"
        + " force again.")
final class DropRulesCommand implements Callable<Integer> {

  @Parameters(paramLabel = "NAME", description = "The file's name without folder and ending, as 'rules list' shows it.")
  String name = "";

  @Mixin
  WatchTopicClient place = new WatchTopicClient();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public Integer call() {
    var files = place.inForce().appliedFiles();
    var rules = files.get(name);
    if (rules == null) {
      var nearest = Spelling.nearest(name, files.keySet());
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "no rules were applied as '" + name + "'" + (files.isEmpty()
              ? "; none were applied at all"
              : nearest == null ? "; there are " + String.join(", ", files.keySet())
                  : "; did you mean " + nearest + "?"));
    }
    place.publish(RuleAnnouncements.RULES, name, null);
    var out = Objects.requireNonNull(spec).commandLine().getOut();
    return AnnouncementWait.of(place, Duration.ofSeconds(20), out).dropped(rules);
  }
}
