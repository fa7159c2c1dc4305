package io.tidemark.cli.command;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.RunningComponents;
import io.tidemark.http.server.FileResponseJournal;
import io.tidemark.http.server.ResponseJournal;
import io.tidemark.market.Operation;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Serves a simulated market, for other instances and other clients. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = "Serves a simulated market over the interface until stopped (Ctrl-C).")
public final class SimulateCommand extends CliCommand implements Runnable {

  @Option(names = "--port", paramLabel = "PORT", defaultValue = "8090",
      description = "The port; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int port = 8090;

  @Option(names = "--address", paramLabel = "ADDRESS", defaultValue = SimulatedMarketServer.LOOPBACK,
      description = "The address of this machine to listen on; 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  String address = SimulatedMarketServer.LOOPBACK;

  @Option(names = "--key", paramLabel = "KEY",
      description = "The API key that requests have to carry (default: none is needed).")
  @Nullable
  String key;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "Selects the market: the same seed gives the same market (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--speed", paramLabel = "X", defaultValue = "1",
      description = "Makes the market livelier and the refresh periods shorter, 0.1 to 100 (default: "
          + "${DEFAULT-VALUE}).")
  double speed = 1;

  @Option(names = "--refresh", paramLabel = "SECONDS", description = "One refresh period for all operations.")
  @Nullable
  Double refresh;

  @Option(names = "--scenario", paramLabel = "NAME", defaultValue = "calm",
      description = "The kind of market: calm, launch-day, dirty-data, quiet, or one incident in a quiet market, such"
          + " as rug-pull or depeg (default: ${DEFAULT-VALUE}).")
  String scenario = "calm";

  @Option(names = "--journal", paramLabel = "FILE", description = "Appends every body that is served to a file.")
  @Nullable
  Path journal;

  @Override
  public void run() {
    if (port < 0 || port > 65_535) {
      throw wrongUsage("--port: must be 0 (any free one) to 65535, is " + port);
    }
    var settings = settings();
    try (var parts = new RunningComponents()) {
      var market = parts.add("the simulated market",
          SimulatedMarketServer.start(address, port, key, settings, refresh(), journal(parts)));
      out().println("A simulated market is served at " + market.baseUrl() + (key == null ? "" : " (with the key)")
          + "; Ctrl-C stops");
      if (settings.scenario().hasIncident()) {
        out().println(scenario + " begins at " + settings.incident() + ": start watching well before");
      }
      parts.await();
    }
  }

  private SimulatorSettings settings() {
    try {
      var named = SimulatedMarketServer.scenario(scenario, this::wrongUsage);
      var incident = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(named.delay());
      return new SimulatorSettings(seed, named, speed, incident);
    } catch (IllegalArgumentException e) {
      throw wrongUsage("--" + e.getMessage());
    }
  }

  private Function<Operation, Duration> refresh() {
    if (refresh == null) {
      return SimulatedMarketServer.refreshAt(speed);
    }
    if (!(refresh >= 0.1 && refresh <= 86_400)) {
      throw wrongUsage("--refresh: must be 0.1 to 86400 seconds, is " + refresh);
    }
    var period = Duration.ofMillis((long) (refresh * 1000));
    return operation -> period;
  }

  private ResponseJournal journal(RunningComponents parts) {
    if (journal == null) {
      return ResponseJournal.none();
    }
    try {
      return parts.add("the journal", new FileResponseJournal(journal));
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "--journal: cannot write to " + journal + ": " + e.getMessage());
    }
  }
}
