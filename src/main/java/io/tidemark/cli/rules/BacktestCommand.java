package io.tidemark.cli.rules;

import io.tidemark.cli.print.BacktestJson;
import io.tidemark.cli.print.BacktestPrinter;
import io.tidemark.cli.print.BacktestResult;
import io.tidemark.cli.print.ProgressBar;
import io.tidemark.cli.wiring.StartPosition;
import io.tidemark.cli.wiring.StartedParts;
import io.tidemark.event.Alert;
import io.tidemark.rule.file.RuleException;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import io.tidemark.stream.Backtest;
import io.tidemark.stream.StreamSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "backtest",
    mixinStandardHelpOptions = true,
    description = {
      "Says what rules fire over what is recorded: those that were in force, version by version, or those of files.",
      "Runs the topology that runs live, beside it, with topics of its own that are taken away afterwards."
    })
final class BacktestCommand implements Callable<Integer> {

  /** How findings are printed. */
  enum Format {
    text,
    json
  }

  @Option(names = "--from", paramLabel = "TIME",
      description = "First time, such as 2026-03-10 or 2026-03-10T12:00:00Z (default: a day before the last).")
  @Nullable
  String from;

  @Option(names = "--to", paramLabel = "TIME", description = "Last time, not included (default: now).")
  @Nullable
  String to;

  @Option(names = "--rules", paramLabel = "FILE", arity = "1..*",
      description = "Rules instead of those that were in force.")
  List<Path> files = List.of();

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: a table with charts; json: one document with every alert (default: ${DEFAULT-VALUE}).")
  Format format = Format.text;

  @Option(names = "--threads", paramLabel = "N", defaultValue = "2",
      description = "Threads that read (default: ${DEFAULT-VALUE}).")
  int threads = 2;

  @Mixin
  WatchTopicClient place = new WatchTopicClient();

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public Integer call() {
    var command = Objects.requireNonNull(spec).commandLine();
    var end = to == null ? Instant.now() : time("--to", to);
    var begin = from == null ? end.minus(Duration.ofDays(1)) : time("--from", from);
    if (!begin.isBefore(end)) {
      throw new ParameterException(command, "--from: before --to, " + end);
    }
    try {
      var tally = new BacktestResult(begin, end, alerts(begin, end, rules()));
      command.getOut().println(format == Format.json ? BacktestJson.of(tally) : BacktestPrinter.of(tally));
      command.getOut().flush();
      return 0;
    } catch (RuleException e) {
      return RuleFiles.wrong(e, command.getErr());
    }
  }

  private List<Alert> alerts(Instant begin, Instant end, @Nullable String rules) {
    var name = UUID.randomUUID().toString().substring(0, 8);
    var states = temporary();
    var err = Objects.requireNonNull(spec).commandLine().getErr();
    try (var running = new StartedParts(); var bar = new ProgressBar(err, ProgressBar.isTerminal())) {
      var trial =
          running.add("the trial", new Backtest(name, place.topics(), place.options.registry(), settings(states)));
      return trial.alerts(begin, end, rules, bar::update);
    } finally {
      delete(states);
    }
  }

  private StreamSettings settings(Path states) {
    var cluster = place.options.cluster();
    var properties = new HashMap<String, String>();
    cluster.clientConfig().forEach((key, value) -> properties.put(key, value.toString()));
    return new StreamSettings(cluster.bootstrapServers(), states, threads, Duration.ofSeconds(1), properties);
  }

  /** Null where those that were in force are asked for. */
  private @Nullable String rules() {
    if (files.isEmpty()) {
      return null;
    }
    var texts = files.stream().map(RuleFiles::read).toList();
    return RuleFormat.write(RuleSetReader.read(texts, place.topics().ruleSchemas(), List.of()));
  }

  private Instant time(String option, String text) {
    try {
      return StartPosition.time(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), option + ": " + e.getMessage());
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("tidemark-trial");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path folder) {
    try (var all = Files.walk(folder)) {
      new ArrayList<>(all.toList()).reversed().forEach(each -> each.toFile().delete());
    } catch (IOException e) {
      System.err.println("left behind: " + folder);
    }
  }
}
