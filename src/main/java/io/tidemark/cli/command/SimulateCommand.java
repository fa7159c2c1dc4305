package io.tidemark.cli.command;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.StartedParts;
import io.tidemark.http.server.FileResponseJournal;
import io.tidemark.http.server.ResponseJournal;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = "Serves a made-up market over the interface, until stopped (Ctrl-C).")
public final class SimulateCommand implements Runnable {

  @Option(names = "--port", paramLabel = "PORT", defaultValue = "8090",
      description = "Where it listens; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int port = 8090;

  @Option(names = "--address", paramLabel = "ADDRESS", defaultValue = SimulatedMarketServer.LOOPBACK,
      description = "On which of this machine's addresses; 0.0.0.0 for all (default: ${DEFAULT-VALUE}).")
  String address = SimulatedMarketServer.LOOPBACK;

  @Option(names = "--key", paramLabel = "KEY", description = "The key that readers send; without it none is asked for.")
  @Nullable
  String key;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "Which market: same seed, same market (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--speed", paramLabel = "X", defaultValue = "1",
      description = "Makes the market livelier and refreshes shorter, 0.1 to 100 (default: ${DEFAULT-VALUE}).")
  double speed = 1;

  @Option(names = "--refresh", paramLabel = "SECONDS", description = "One refresh period for all operations.")
  @Nullable
  Double refresh;

  @Option(names = "--scenario", paramLabel = "NAME", defaultValue = "calm",
      description = "What kind of times: calm, launch-day, dirty-data, quiet, or one incident in a quiet market, such as"
          + " rug-pull or depeg (default: ${DEFAULT-VALUE}).")
  String scenario = "calm";

  @Option(names = "--journal", paramLabel = "FILE", description = "Appends every body served to a file.")
  @Nullable
  Path journal;

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    if (port < 0 || port > 65_535) {
      throw wrong("--port: 0 (any free one) to 65535, not " + port);
    }
    var world = world();
    try (var running = new StartedParts()) {
      var market = running.add(
          "the simulated market", SimulatedMarketServer.start(address, port, key, world, periods(), journal(running)));
      System.out.println("A made-up market answers at " + market.baseUrl() + (key == null ? "" : " (with the key)")
          + "; Ctrl-C stops");
      if (world.scenario().hasIncident()) {
        System.out.println(scenario + " begins at " + world.incident() + ": be watching well before it");
      }
      running.await();
    }
  }

  private SimulatorSettings world() {
    try {
      var named = scenario();
      var incident = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(named.delay());
      return new SimulatorSettings(seed, named, speed, incident);
    } catch (IllegalArgumentException e) {
      throw wrong("--" + e.getMessage());
    }
  }

  private Scenario scenario() {
    return Stream.of(Scenario.values())
        .filter(each -> each.wire().equals(scenario))
        .findFirst()
        .orElseThrow(() -> wrong("--scenario: '" + scenario + "' is none of "
            + Stream.of(Scenario.values()).map(Scenario::wire).collect(Collectors.joining(", "))));
  }

  private SimulatedRefresh periods() {
    if (refresh == null) {
      return SimulatedRefresh.at(speed);
    }
    if (!(refresh >= 0.1 && refresh <= 86_400)) {
      throw wrong("--refresh: 0.1 to 86400 seconds, not " + refresh);
    }
    var period = Duration.ofMillis((long) (refresh * 1000));
    return operation -> period;
  }

  private ResponseJournal journal(StartedParts running) {
    if (journal == null) {
      return ResponseJournal.none();
    }
    try {
      return running.add("the journal", new FileResponseJournal(journal));
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "--journal: cannot write " + journal + ": " + e.getMessage());
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
