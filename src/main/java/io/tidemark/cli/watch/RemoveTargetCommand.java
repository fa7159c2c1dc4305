package io.tidemark.cli.watch;

import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.rules.WatchTopicClient;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.source.AddedTarget;
import io.tidemark.yaml.NameSuggestion;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Removes a target that was added. */
@Command(
    name = "rm",
    mixinStandardHelpOptions = true,
    description = "Does not watch a target any more that was added by 'watch add' or by a follow rule.")
final class RemoveTargetCommand extends CliCommand implements Runnable {

  @Parameters(paramLabel = "TARGET", description = "As 'watch ls' shows it.")
  String name = "";

  @Mixin
  WatchTopicClient client = new WatchTopicClient();

  @Override
  public void run() {
    var watched = WatchedBySource.read(client);
    var canonical = canonical(watched);
    if (watched.added().containsKey(canonical)) {
      client.publish(AddedTarget.KIND, canonical, null);
      out().println("removed " + canonical);
      return;
    }
    if (watched.configured(canonical) != null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          canonical + " is watched by the configuration; remove it there, and restart");
    }
    throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
        name + " is not watched" + suggestion(NameSuggestion.nearest(name, watched.added().keySet())));
  }

  private static String suggestion(@Nullable String nearest) {
    return nearest == null ? "; 'tidemark watch ls' shows what is" : "; did you mean " + nearest + "?";
  }

  /** As the source names it; as it was written where it is no target. */
  private String canonical(WatchedBySource watched) {
    try {
      return watched.settings().additions().reader().read(name, AddedTarget.text(1, 1, null)).watched().target().name();
    } catch (RuntimeException e) {
      return name;
    }
  }
}
