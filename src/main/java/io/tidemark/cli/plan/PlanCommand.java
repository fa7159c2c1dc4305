package io.tidemark.cli.plan;

import io.tidemark.app.CommandFailure;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.command.ClusterOptions;
import io.tidemark.cli.print.Terminal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what a configuration does with its budget. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description = {
      "Shows what a configuration does with its budget: how often each target is polled, how stale it is, which share"
          + " of new pools is observed, and what the polls cost.",
      "Runs the schedule of the program in virtual time, over an assumed service. Connects to nothing, and needs no"
          + " key."
    })
public final class PlanCommand extends CliCommand implements Callable<Integer> {

  @Option(names = "--config", paramLabel = "FILE", defaultValue = "tidemark.yaml",
      description = "The configuration (default: ${DEFAULT-VALUE}).")
  Path config = Path.of("tidemark.yaml");

  @Option(names = "--source", paramLabel = "NAME", description = "One source only (default: all).")
  @Nullable
  String source;

  @Option(names = "--new-pools", paramLabel = "NETWORK=NUMBER", split = ",",
      description = "Assumed number of new pools an hour on a network, such as solana=1500; may be repeated.")
  Map<String, Double> newPools = Map.of();

  @Option(names = "--live",
      description = {"Shows the schedule of the running source, continued from the state that its owner committed:",
        "next polls, staleness, learned rates, and changes observed per credit. Reads Kafka; needs no key."})
  boolean live;

  @Option(names = "--json", description = "JSON, for programs.")
  boolean json;

  @Override
  public Integer call() {
    if (newPools.values().stream().anyMatch(each -> !(each >= 0) || each > 1e6)) {
      throw wrongUsage("--new-pools: must be 0 to 1,000,000 an hour");
    }
    var sources = Settings.readForKafka(config, System::getenv).sources().stream()
        .filter(each -> source == null || each.name().equals(source)).toList();
    if (sources.isEmpty()) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, config + " has no source " + source);
    }
    if (live) {
      sources.forEach(this::printLive);
      out().flush();
      return 0;
    }
    var plans = sources.stream().map(each -> SourcePlan.of(each, newPools)).toList();
    if (json) {
      out().println(PlanPrinter.json(plans));
    } else {
      plans.stream().flatMap(plan -> PlanPrinter.lines(plan, Terminal.system()).stream()).forEach(out()::println);
    }
    out().flush();
    return plans.stream().allMatch(SourcePlan::isKept) ? 0 : CommandFailure.PROBLEM_FOUND;
  }

  private void printLive(SourceSettings settings) {
    var now = Instant.now();
    var plan = LivePlan.read(ClusterOptions.of(config), settings, now);
    if (json) {
      out().println(plan.json(now));
    } else {
      plan.lines(now, Terminal.system()).forEach(out()::println);
    }
  }
}
