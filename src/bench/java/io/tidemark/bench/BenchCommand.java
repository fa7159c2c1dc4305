package io.tidemark.bench;

import io.tidemark.bench.freshness.FreshnessCommand;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.command.OutputFormat;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.cli.print.TerminalText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench}, which measures the program on this machine. */
@Command(
    name = "bench", // described in Main, so that the help can show it without loading this class
    mixinStandardHelpOptions = true,
    subcommands = {FreshnessCommand.class, PeersCommand.class},
    footer = {"",
      "plans: how many times one core can handle the calls of the largest plan, and which part of a core one plan"
          + " takes. limit: the value that the result is compared with. BENCHMARKS.md lists and explains the figures of"
          + " one machine."})
public final class BenchCommand extends CliCommand implements Runnable {

  /** Width of a terminal, and indentation of a part's description, in columns. */
  private static final int COLUMNS = 80;
  private static final int INDENT = 11;

  @Option(names = "--parts", paramLabel = "PART", split = ",",
      description = "Parts, separated by commas (default: all). --list names them.")
  @Nullable
  List<String> parts;

  @Option(names = "--list", description = "Lists the parts, and what each measures.")
  boolean list;

  @Option(names = "--rounds", paramLabel = "N",
      description = "Number of rounds of each part; results are the medians of the rounds (default: 5).")
  int rounds = BenchSettings.FULL.rounds();

  @Option(names = "--resources", paramLabel = "N",
      description = "Number of resources (pools and tokens together) that are watched in the parts tick, restore,"
          + " memory, growth and page (default: 100000).")
  int resources = BenchSettings.FULL.resources();

  @Option(names = "--readers", paramLabel = "N",
      description = "Number of readers of a feed in the part feeds (default: 1000).")
  int readers = BenchSettings.FULL.readers();

  @Option(names = "--partitions", paramLabel = "N",
      description = "Maximum number of partitions of the topics in the parts alerts and streams (default: 6).")
  int partitions = BenchSettings.FULL.partitions();

  @Option(names = "--kafka", paramLabel = "HOST:PORT",
      description = "Address of a cluster without a login, in which the bench creates and deletes topics. Without"
          + " this option, an embedded broker runs in a separate process.")
  @Nullable
  String kafka;

  @Option(names = "--smoke",
      description = "Only checks, within a minute, that the parts run; the figures mean nothing. Parts that start whole"
          + " programs (streams, tick, growth, backtest, start) run only if --parts names them.")
  boolean smoke;

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: a table; json: a line of JSON for each result (default: ${DEFAULT-VALUE}).")
  OutputFormat format = OutputFormat.TEXT;

  @Override
  public void run() {
    if (list) {
      Benches.all().forEach(this::print);
      return;
    }
    var chosen = chosen();
    if (format == OutputFormat.TEXT) {
      out().println(BenchPrinter.header());
    }
    var begun = System.nanoTime();
    var results = new ArrayList<BenchResult>();
    try (var cluster = kafka == null ? BenchKafka.embedded() : BenchKafka.at(kafka)) {
      chosen.forEach(part -> results.addAll(print(part, cluster)));
    }
    if (format == OutputFormat.TEXT) {
      out().println(BenchPrinter.footer(results, Duration.ofNanos(System.nanoTime() - begun)));
    }
  }

  private void print(BenchPart part) {
    var lines = TerminalText.wrapped(part.description(), COLUMNS - INDENT);
    out().println("%-10s %s".formatted(part.name(), lines.getFirst()));
    lines.stream().skip(1).forEach(line -> out().println(" ".repeat(INDENT) + line));
  }

  private List<BenchPart> chosen() {
    var all = Benches.all();
    if (parts == null) {
      return all.stream().filter(part -> !smoke || !part.takesLong()).toList();
    }
    var names = all.stream().map(BenchPart::name).collect(Collectors.toSet());
    for (var name : parts) {
      if (!names.contains(name)) {
        throw wrongUsage("--parts: there is no part '" + name + "'; the parts are " + String.join(", ", names));
      }
    }
    return all.stream().filter(part -> parts.contains(part.name())).toList();
  }

  private List<BenchResult> print(BenchPart part, BenchKafka cluster) {
    var results = measured(part, cluster);
    for (var result : results) {
      out().println(format == OutputFormat.JSON ? BenchPrinter.json(result) : BenchPrinter.text(result));
    }
    out().flush();
    return results;
  }

  private List<BenchResult> measured(BenchPart part, BenchKafka cluster) {
    try (var bar = new ProgressBar(rawErr(), ProgressBar.isTerminal())) {
      return part.run(settings(), cluster, bar::update);
    }
  }

  private BenchSettings settings() {
    try {
      return smoke
          ? BenchSettings.SMOKE
          : new BenchSettings(rounds, BenchSettings.FULL.round(), BenchSettings.FULL.warmUp(), resources, readers,
              partitions, BenchSettings.FULL.history());
    } catch (IllegalArgumentException e) {
      throw wrongUsage("--" + e.getMessage());
    }
  }
}
