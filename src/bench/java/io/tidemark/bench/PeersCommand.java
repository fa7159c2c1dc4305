package io.tidemark.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.bench.PeerComparison.PeerResult;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.command.OutputFormat;
import io.tidemark.cli.print.ProgressBar;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code bench peers}, which compares Tidemark with the poller that a user would otherwise run. */
@Command(
    name = "peers",
    mixinStandardHelpOptions = true,
    description = {
      "Runs Tidemark beside a poller that polls at fixed intervals and publishes JSON patches (zjsonpatch over"
          + " Jackson).",
      "Both poll the same simulated service with the same number of calls per minute and write to the same broker."
          + " Halfway, both programs are killed and restarted."
    })
public final class PeersCommand extends CliCommand implements Runnable {
  private static final int LEAST_SECONDS = 30;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "240",
      description = "How many seconds both programs run; at least 30. Default: ${DEFAULT-VALUE}.")
  int seconds;

  @Option(names = "--calls", paramLabel = "N", defaultValue = "60",
      description = "Calls per minute that each program may make. Default: ${DEFAULT-VALUE}.")
  int calls;

  @Option(names = "--kafka", paramLabel = "HOST:PORT",
      description = "Address of a cluster without a login. Without this option, an embedded broker runs in a separate"
          + " process.")
  @Nullable
  String kafka;

  @Option(names = "--format", paramLabel = "FORMAT", defaultValue = "text",
      description = "text: a table; json: a line of JSON for each program (default: ${DEFAULT-VALUE}).")
  OutputFormat format = OutputFormat.TEXT;

  @Override
  public void run() {
    if (seconds < LEAST_SECONDS || calls < 1) {
      throw wrongUsage("--seconds: must be at least %d; --calls: must be at least 1".formatted(LEAST_SECONDS));
    }
    try (var cluster = kafka == null ? BenchKafka.embedded() : BenchKafka.at(kafka);
        var bar = new ProgressBar(rawErr(), ProgressBar.isTerminal())) {
      print(new PeerComparison(calls, Duration.ofSeconds(seconds), cluster).run(bar::update));
    }
  }

  private void print(List<PeerResult> results) {
    if (format == OutputFormat.TEXT) {
      out().println("%-12s %5s %14s %8s %7s %8s %9s %10s".formatted("", "calls", "changes caught", "invented",
          "doubled", "latency", "bytes", "CPU/change"));
    }
    results.forEach(each -> out().println(format == OutputFormat.JSON ? json(each) : row(each)));
  }

  private static String row(PeerResult result) {
    return "%-12s %5d %5d of %5d %8d %7d %6.1f s %6.1f MB %7.1f ms".formatted(result.name(), result.calls(),
        result.caught(), result.shown(), result.invented(), result.doubled(), result.latencyMillis() / 1_000,
        result.megabytes(), result.processorMillis());
  }

  private static String json(PeerResult result) {
    return JsonNodeFactory.instance.objectNode()
        .put("name", result.name())
        .put("calls", result.calls())
        .put("shown", result.shown())
        .put("caught", result.caught())
        .put("invented", result.invented())
        .put("doubled", result.doubled())
        .put("latency_millis", result.latencyMillis())
        .put("megabytes", result.megabytes())
        .put("processor_millis", result.processorMillis())
        .toString();
  }
}
