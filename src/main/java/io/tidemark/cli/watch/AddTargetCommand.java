package io.tidemark.cli.watch;

import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.rules.WatchTopicClient;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.source.AddedTarget;
import io.tidemark.yaml.DurationFormat;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a target to what a source watches. */
@Command(
    name = "add",
    mixinStandardHelpOptions = true,
    description = "Watches one more target from now on, without a restart.")
final class AddTargetCommand extends CliCommand implements Runnable {

  @Parameters(paramLabel = "TARGET",
      description = "Path of the interface, such as /networks/eth/pools/0x88e6... or"
          + " '/networks/base/trending_pools?duration=1h'.")
  String name = "";

  @Option(names = "--pages", defaultValue = "1", description = "Pages of a list (default: ${DEFAULT-VALUE}).")
  int pages;

  @Option(names = "--weight", defaultValue = "1",
      description = "How much it matters, above 0 and at most 1000 (default: ${DEFAULT-VALUE}).")
  double weight;

  @Option(names = "--for", paramLabel = "DURATION",
      description = "How long, such as 6h or 7d (default: until removed).")
  @Nullable
  String length;

  @Mixin
  WatchTopicClient client = new WatchTopicClient();

  @Override
  public void run() {
    var settings = client.cluster.source(client.source);
    var now = WatchTopicClient.now();
    var text = AddedTarget.text(pages, weight, until(now));
    AddedTarget target;
    try {
      target = settings.additions().reader().read(name, text);
    } catch (RuntimeException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, "cannot be watched: " + e.getMessage());
    }
    var canonical = target.watched().target().name();
    var watched = WatchedBySource.read(client);
    var same = watched.sameAs(target.watched().target().query(), now);
    if (same != null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, canonical + " is watched already, as " + same
          + "; 'tidemark watch ls' shows by whom. What is watched once, cannot be watched with other parameters");
    }
    var refusal = settings.additions().refusal(settings.watch(),
        watched.addedCalls(now) + target.watched().target().pages(), settings.limits());
    if (refusal != null) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, canonical + ": " + refusal);
    }
    client.publish(AddedTarget.KIND, canonical, text);
    out().println("added " + canonical + (target.until() == null ? "" : " until " + target.until())
        + "; the owner of source " + settings.name() + " polls it within its budget");
  }

  private @Nullable Instant until(Instant now) {
    if (length == null) {
      return null;
    }
    var duration = DurationFormat.OF_CONFIGURATION.parse(length);
    if (duration == null || !duration.isPositive()) {
      throw wrongUsage("--for: '" + length + "' is not " + DurationFormat.OF_CONFIGURATION.example());
    }
    return now.plus(duration);
  }
}
