package io.tidemark.cli.demo;

import io.tidemark.app.CommandFailure;
import io.tidemark.app.RunningComponents;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.market.Operation;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache.CacheRefresh;
import io.tidemark.simulator.server.FileResponseJournal;
import io.tidemark.simulator.server.KeyAccounts;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that serves a simulated market to other instances and other clients. */
@Command(
    name = "simulate", // described in Main, so that the help can show it without loading this class
    mixinStandardHelpOptions = true)
public final class SimulateCommand extends CliCommand implements Runnable {

  @Option(names = "--port", paramLabel = "PORT", defaultValue = "8090",
      description = "The port; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int port = 8090;

  @Option(names = "--address", paramLabel = "ADDRESS", defaultValue = SimulatedMarketServer.LOOPBACK,
      description = "The address of this machine to listen on; 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  String address = SimulatedMarketServer.LOOPBACK;

  @Option(names = "--key", paramLabel = "KEY",
      description = "An API key; may be given several times. Every request must carry one of the keys (default: no key"
          + " is needed). GET /key returns the number of calls in this month.")
  List<String> keys = List.of();

  @Option(names = "--per-minute", paramLabel = "N",
      description = "Maximum number of calls of each key in any 60 seconds (default: no limit).")
  @Nullable
  Integer perMinute;

  @Option(names = "--per-month", paramLabel = "N",
      description = "Maximum number of calls of each key in a month (default: no limit).")
  @Nullable
  Long perMonth;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "Selects the market: the same seed gives the same market (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--speed", paramLabel = "X", defaultValue = "1",
      description = "Factor by which the market is livelier and its refresh periods are shorter, 0.1 to 100 (default: "
          + "${DEFAULT-VALUE}).")
  double speed = 1;

  @Option(names = "--refresh", paramLabel = "SECONDS", description = "One refresh period for all operations.")
  @Nullable
  Double refresh;

  @Option(names = "--cache", paramLabel = "KIND", defaultValue = "schedule",
      description = "When the cache of the market refreshes: on a schedule (schedule), or with the first request after"
          + " a period (request) (default: ${DEFAULT-VALUE}).")
  String cache = "schedule";

  @Option(names = "--scenario", paramLabel = "NAME", defaultValue = "calm",
      description = "The kind of market: calm, launch-day, dirty-data, quiet, or one incident in a quiet market, such"
          + " as rug-pull or depeg (default: ${DEFAULT-VALUE}).")
  String scenario = "calm";

  @Option(names = "--journal", paramLabel = "FILE", description = "A file to which every served body is appended.")
  @Nullable
  Path journal;

  @Override
  public void run() {
    if (port < 0 || port > 65_535) {
      throw wrongUsage("--port: must be 0 (any free port) to 65535, got " + port);
    }
    var settings = settings();
    try (var parts = new RunningComponents()) {
      var market = parts.add("the simulated market",
          SimulatedMarketServer.start(address, port, accounts(), settings, cache(), refresh(), journal(parts)));
      out().println("A simulated market is served at " + market.baseUrl() + (keys.isEmpty() ? "" : " (a key is needed)")
          + "; Ctrl-C stops it");
      if (settings.scenario().hasIncident()) {
        out().println("The incident " + scenario + " begins at " + settings.incident()
            + "; start watching well before that time");
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

  private @Nullable KeyAccounts accounts() {
    if ((perMinute != null || perMonth != null) && keys.isEmpty()) {
      throw wrongUsage("--per-minute and --per-month: need --key");
    }
    if ((perMinute != null && perMinute < 1) || (perMonth != null && perMonth < 1)) {
      throw wrongUsage("--per-minute and --per-month: must be at least 1");
    }
    return keys.isEmpty() ? null : new KeyAccounts(keys, perMinute, perMonth, InstantSource.system());
  }

  private CacheRefresh cache() {
    return switch (cache) {
      case "schedule" -> CacheRefresh.ON_SCHEDULE;
      case "request" -> CacheRefresh.ON_REQUEST;
      default -> throw wrongUsage("--cache: '" + cache + "' is unknown; known are schedule, request");
    };
  }

  private Function<Operation, Duration> refresh() {
    if (refresh == null) {
      return SimulatedMarketServer.refreshAt(speed);
    }
    if (!(refresh >= 0.1 && refresh <= 86_400)) {
      throw wrongUsage("--refresh: must be 0.1 to 86400 seconds, got " + refresh);
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
          "--journal: cannot write to " + journal + " (" + e.getMessage() + "); choose another file");
    }
  }
}
