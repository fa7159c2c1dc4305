package io.tidemark.cli.watch;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.print.ColumnTable;
import io.tidemark.cli.rules.WatchTopicClient;
import io.tidemark.poll.WatchList.WatchedTarget;
import io.tidemark.source.AddedTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists what a source watches. */
@Command(
    name = "ls",
    aliases = "list",
    mixinStandardHelpOptions = true,
    description = "Lists what a source watches: by its configuration, and what was added, by whom and when.")
final class ListWatchedCommand extends CliCommand implements Runnable {

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
    var table = new ColumnTable("target", "pages", "weight", "observed", "added by", "at", "until");
    watched.settings().watch().targets().forEach(each -> table.add(each.target().name(), "" + each.target().pages(),
        weight(each), observed(each, watched), "configuration", "", ""));
    watched.running(WatchTopicClient.now()).forEach(each -> {
      var target = each.target();
      if (target != null) {
        table.add(target.watched().target().name(), "" + target.watched().target().pages(), weight(target.watched()),
            observed(target.watched(), watched), each.who(), each.at().toString(), text(target.until()));
      }
    });
    table.lines().forEach(out()::println);
    out().flush();
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
