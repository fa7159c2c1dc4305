package io.tidemark.cli.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.app.CommandFailure;
import io.tidemark.capture.source.WatchedBySource;
import io.tidemark.capture.source.WatchedBySource.WatchedRow;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.ColumnTable;
import io.tidemark.cli.print.Terminal;
import io.tidemark.cli.print.TerminalText;
import io.tidemark.cli.rules.WatchTopicClient;
import io.tidemark.event.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
    synopsisSubcommandLabel = "COMMAND")
public final class WatchCommand extends CliCommand implements Runnable {

  /** Prints the help if the arguments name no subcommand. */
  @Override
  public void run() {
    commandLine().usage(rawOut());
  }

  @Command(
      name = "ls",
      aliases = "list",
      mixinStandardHelpOptions = true,
      description = "Lists the targets that a source watches: those of its configuration, and added ones with author"
          + " and time. An added target for which the budget does not suffice is listed as refused.")
  void list(
      @Option(names = "--json", description = "JSON, for programs.") boolean json,
      @Mixin WatchTopicClient client) {
    var now = WatchTopicClient.now();
    var rows = client.watched().rows(now);
    if (json) {
      printJson(rows);
    } else {
      printTable(rows, now);
    }
    out().flush();
  }

  @Command(mixinStandardHelpOptions = true, description = "Watches one more target from now on, without a restart.")
  void add(
      @Parameters(paramLabel = "TARGET",
          description = "Path of the interface, such as /networks/eth/pools/0x88e6... or"
              + " '/networks/base/trending_pools?duration=1h'.") String name,
      @Option(names = "--pages", defaultValue = "1",
          description = "Number of pages of a list to poll (default: ${DEFAULT-VALUE}).") int pages,
      @Option(names = "--weight", defaultValue = "1",
          description = "How much the target matters, above 0 and at most 1000"
              + " (default: ${DEFAULT-VALUE}).") double weight,
      @Option(names = "--for", paramLabel = "DURATION",
          description = "How long to watch the target, such as 6h or 7d"
              + " (default: until removed).") @Nullable String length,
      @Mixin WatchTopicClient client) {
    var source = client.cluster.source(client.source);
    Watch added;
    try {
      added = WatchedBySource.addition(
          source, name, pages, weight, length, WatchTopicClient.user(), WatchTopicClient.now());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, String.valueOf(e.getMessage()));
    }
    client.watched().checkAddition(added);
    client.publish(added);
    out().println("added " + added.getName() + (length == null ? "" : " for " + length)
        + "; the owner of source " + source.name() + " polls it within its budget");
  }

  @Command(name = "rm", mixinStandardHelpOptions = true,
      description = "Stops watching a target that was added by 'watch add' or by a follow rule.")
  void remove(
      @Parameters(paramLabel = "TARGET", description = "The name of the target, as 'watch ls' shows it.") String name,
      @Mixin WatchTopicClient client) {
    var removed = client.watched().remove(name, WatchTopicClient.user(), WatchTopicClient.now());
    client.publish(removed);
    out().println("removed " + removed.getName());
  }

  private void printTable(List<WatchedRow> rows, Instant now) {
    var table = ColumnTable.ofTexts("target", "pages", "weight", "observed", "added by", "added", "until");
    rows.forEach(row -> table.add(row.target(), "" + row.pages(), weight(row.weight()),
        row.refusal() == null ? ago(row.observedAt(), now) : "refused",
        row.addedBy(), ago(row.at(), now),
        row.until() == null ? "" : "in " + TerminalText.duration(Duration.between(now, row.until()))));
    table.lines(Terminal.system()).forEach(out()::println);
    rows.stream().filter(row -> row.refusal() != null)
        .forEach(row -> out().println(row.target() + " is not watched: " + row.refusal()));
  }

  private static String ago(@Nullable Instant at, Instant now) {
    return at == null ? "" : TerminalText.duration(Duration.between(at, at.isAfter(now) ? at : now)) + " ago";
  }

  private static String weight(double weight) {
    return weight == Math.rint(weight) ? Long.toString((long) weight) : Double.toString(weight);
  }

  private static String text(@Nullable Instant at) {
    return at == null ? "" : at.toString();
  }

  private void printJson(List<WatchedRow> rows) {
    var all = new ObjectMapper().createArrayNode();
    rows.forEach(row -> {
      var json = all.addObject().put("target", row.target()).put("pages", row.pages()).put("weight", row.weight())
          .put("observed_at", text(row.observedAt())).put("added_by", row.addedBy());
      if (row.at() != null) {
        json.put("at", text(row.at())).put("until", text(row.until()));
      }
      if (row.refusal() != null) {
        json.put("refusal", row.refusal());
      }
    });
    out().println(all);
  }
}
