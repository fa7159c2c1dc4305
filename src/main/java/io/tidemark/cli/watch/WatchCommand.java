package io.tidemark.cli.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.CommandFailure;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.capture.source.AddedTarget;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.ColumnTable;
import io.tidemark.cli.print.Terminal;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.cli.rules.WatchTopicClient;
import io.tidemark.event.DurationFormat;
import io.tidemark.event.NameSuggestion;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows, adds and removes the targets that a source watches while the source runs. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "Shows, adds and removes the targets that a source watches, while the source runs.",
      "Targets of the configuration stay watched. Added targets are stored in the topic 'watch', with author and time."
    },
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      WatchCommand.ListWatchedCommand.class,
      WatchCommand.AddTargetCommand.class,
      WatchCommand.RemoveTargetCommand.class
    })
public final class WatchCommand extends CliCommand implements Runnable {

  /** Prints the help if the arguments name no subcommand. */
  @Override
  public void run() {
    commandLine().usage(rawOut());
  }

  /** Lists the targets that a source watches. */
  @Command(
      name = "ls",
      aliases = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the targets that a source watches: those of its configuration, and added ones with author"
          + " and time.")
  static final class ListWatchedCommand extends CliCommand implements Runnable {

    @Option(names = "--json", description = "JSON, for programs.")
    boolean json;

    @Mixin
    WatchTopicClient client = new WatchTopicClient();

    @Override
    public void run() {
      var watched = WatchedBySource.read(client);
      if (json) {
        printJson(watched);
      } else {
        printTable(watched);
      }
    }

    private void printTable(WatchedBySource watched) {
      var now = WatchTopicClient.now();
      var table = ColumnTable.ofTexts("target", "pages", "weight", "observed", "added by", "added", "until");
      watched.settings().watch().targets().forEach(each -> table.add(each.target().name(), "" + each.target().pages(),
          weight(each), ago(watched.observed().get(each.target().name()), now), "configuration", "", ""));
      watched.running(now).forEach(each -> {
        var target = each.target();
        if (target != null) {
          table.add(target.watched().target().name(), "" + target.watched().target().pages(), weight(target.watched()),
              ago(watched.observed().get(target.watched().target().name()), now), each.who(), ago(each.at(), now),
              target.until() == null ? "" : "in " + TerminalText.duration(Duration.between(now, target.until())));
        }
      });
      table.lines(Terminal.system()).forEach(out()::println);
      out().flush();
    }

    private static String ago(@Nullable Instant at, Instant now) {
      return at == null ? "" : TerminalText.duration(Duration.between(at, at.isAfter(now) ? at : now)) + " ago";
    }

    private static String observed(WatchedTarget target, WatchedBySource watched) {
      return text(watched.observed().get(target.target().name()));
    }

    private static String weight(WatchedTarget watched) {
      var weight = watched.weight();
      return weight == Math.rint(weight) ? Long.toString((long) weight) : Double.toString(weight);
    }

    private static String text(@Nullable Instant at) {
      return at == null ? "" : at.toString();
    }

    private void printJson(WatchedBySource watched) {
      var all = new ObjectMapper().createArrayNode();
      watched.settings().watch().targets().forEach(each -> all.addObject().put("target", each.target().name())
          .put("pages", each.target().pages()).put("weight", each.weight())
          .put("observed_at", observed(each, watched)).put("added_by", "configuration"));
      for (var each : watched.running(WatchTopicClient.now())) {
        AddedTarget target = each.target();
        if (target != null) {
          all.addObject().put("target", target.watched().target().name())
              .put("pages", target.watched().target().pages()).put("weight", target.watched().weight())
              .put("observed_at", observed(target.watched(), watched)).put("added_by", each.who())
              .put("at", each.at().toString())
              .put("until", text(target.until()));
        }
      }
      out().println(all);
      out().flush();
    }
  }

  /** Adds a target to the watch list of a source. */
  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Watches one more target from now on, without a restart.")
  static final class AddTargetCommand extends CliCommand implements Runnable {

    @Parameters(paramLabel = "TARGET",
        description = "Path of the interface, such as /networks/eth/pools/0x88e6... or"
            + " '/networks/base/trending_pools?duration=1h'.")
    String name = "";

    @Option(names = "--pages", defaultValue = "1",
        description = "Number of pages of a list to poll (default: ${DEFAULT-VALUE}).")
    int pages;

    @Option(names = "--weight", defaultValue = "1",
        description = "How much the target matters, above 0 and at most 1000 (default: ${DEFAULT-VALUE}).")
    double weight;

    @Option(names = "--for", paramLabel = "DURATION",
        description = "How long to watch the target, such as 6h or 7d (default: until removed).")
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
        throw new CommandFailure(CommandFailure.WRONG_USAGE, "the target cannot be watched: " + e.getMessage());
      }
      var canonical = target.watched().target().name();
      var watched = WatchedBySource.read(client);
      var same = watched.sameAs(target.watched().target().query(), now);
      if (same != null) {
        throw new CommandFailure(CommandFailure.PROBLEM_FOUND, canonical + " is watched already, as " + same
            + "; 'tidemark watch ls' shows who added it. A target cannot be watched twice with different parameters");
      }
      var refusal = settings.additions().refusal(settings.watch(),
          watched.addedCalls(now) + target.watched().target().pages(), settings.limits());
      if (refusal != null) {
        throw new CommandFailure(CommandFailure.PROBLEM_FOUND, canonical + " cannot be added: " + refusal);
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

  /** Removes a target that was added while the source runs. */
  @Command(
      name = "rm",
      mixinStandardHelpOptions = true,
      description = "Stops watching a target that was added by 'watch add' or by a follow rule.")
  static final class RemoveTargetCommand extends CliCommand implements Runnable {

    @Parameters(paramLabel = "TARGET", description = "The name of the target, as 'watch ls' shows it.")
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
            canonical + " is watched by the configuration; remove the target from the configuration, and restart");
      }
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          name + " is not watched; "
              + NameSuggestion.suggestion(
                  name, watched.added().keySet(), "'tidemark watch ls' lists the watched targets"));
    }

    /**
     * Returns the canonical name of the target that the argument names, or the argument unchanged if it names no
     * target.
     */
    private String canonical(WatchedBySource watched) {
      try {
        return watched.settings().additions().reader().read(name, AddedTarget.text(1, 1, null)).watched().target()
            .name();
      } catch (RuntimeException e) {
        return name;
      }
    }
  }
}
