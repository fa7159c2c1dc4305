package io.tidemark.cli.command;

import io.tidemark.cli.print.LiveChangesPrinter;
import io.tidemark.cli.print.RecordPrinter;
import io.tidemark.cli.wiring.Application;
import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.KafkaCluster;
import io.tidemark.cli.wiring.Role;
import io.tidemark.cli.wiring.StartPosition;
import io.tidemark.cli.wiring.StartedParts;
import io.tidemark.cli.wiring.TopicReader;
import io.tidemark.config.Settings;
import io.tidemark.http.server.ResponseJournal;
import io.tidemark.market.Operation;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.topic.Topic;
import io.tidemark.yaml.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = "Runs everything on this machine over a made-up market, and prints what changes, until stopped"
        + " (Ctrl-C).")
public final class DemoCommand implements Runnable {

  private static final String KEY = "demo";
  private static final String CONFIGURATION = "demo.yaml";

  @Option(names = "--port", paramLabel = "PORT", defaultValue = "8080",
      description = "The web port; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int port = 8080;

  @Option(names = "--kafka-port", paramLabel = "PORT", defaultValue = "9092",
      description = "The port of Kafka; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int kafkaPort = 9092;

  @Option(names = "--management-port", paramLabel = "PORT", defaultValue = "0",
      description = "The port of health and metrics; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int managementPort;

  @Option(names = "--data", paramLabel = "DIR", defaultValue = "./data/demo",
      description = "Where everything is kept; the next demo there goes on with it (default: ${DEFAULT-VALUE}).")
  Path data = Path.of("./data/demo");

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "Which market: same seed, same market (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--speed", paramLabel = "X", defaultValue = "" + SimulatorSettings.DEMO_SPEED,
      description = "Makes the market livelier and refreshes shorter, 0.1 to 100 (default: ${DEFAULT-VALUE}).")
  double speed = SimulatorSettings.DEMO_SPEED;

  @Spec
  @Nullable
  CommandSpec spec;

  @Override
  public void run() {
    var world = world();
    claimData();
    try (var running = new StartedParts()) {
      var periods = SimulatedRefresh.at(speed);
      var market = running.add("the made-up market",
          SimulatedMarketServer.start(0, KEY, world, periods, ResponseJournal.none()));
      var settings = settings(market.baseUrl(), periods);
      var wiring = new Application(settings, data.resolve("streams"), running);
      var start = Instant.now();
      var cluster = wiring.start(EnumSet.allOf(Role.class));
      System.out.println(whereThingsAre(cluster, wiring, market.baseUrl()));
      liveChanges(cluster, wiring, start, running);
      running.await();
    }
  }

  private SimulatorSettings world() {
    try {
      return new SimulatorSettings(seed, Scenario.CALM, speed);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "--" + e.getMessage());
    }
  }

  /** One market only is kept in a folder: two would make one history of both. */
  private void claimData() {
    var file = data.resolve("seed");
    try {
      Files.createDirectories(data);
      if (Files.notExists(file)) {
        Files.writeString(file, Long.toString(seed));
      }
      var before = Files.readString(file).strip();
      if (!before.equals(Long.toString(seed))) {
        throw new CommandFailure(CommandFailure.WRONG_USAGE, data + " holds the market of seed " + before
            + ": use --seed " + before + ", another --data, or delete that folder");
      }
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND, "--data: cannot write to " + data + ": " + e.getMessage());
    }
  }

  private Settings settings(URI market, SimulatedRefresh periods) {
    var variables = new HashMap<>(Map.of(
        "KAFKA_PORT", Integer.toString(kafkaPort),
        "KAFKA_DATA", data.toAbsolutePath().toString(),
        "WEB_PORT", Integer.toString(port),
        "MANAGEMENT_PORT", Integer.toString(managementPort),
        "MARKET_URL", market.toString(),
        "MARKET_KEY", KEY));
    for (var operation : Operation.values()) {
      variables.put("REFRESH_" + operation.name(), periods.apply(operation).toMillis() + "ms");
    }
    Environment environment = variables::get;
    return Settings.parse(CONFIGURATION, configuration(), environment);
  }

  private static String configuration() {
    try (var stream = Objects.requireNonNull(DemoCommand.class.getResourceAsStream(CONFIGURATION))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String whereThingsAre(KafkaCluster cluster, Application wiring, URI market) {
    return """

        Tidemark watches a made-up market (seed %d, speed %s).
          Kafka       %s
          registry    http://127.0.0.1:%d/registry
          market      %s   (key: %s)
          metrics     http://127.0.0.1:%d/metrics
          kept in     %s
        In another terminal:
          ./tidemark topics%s
          ./tidemark tail pool.changes%s --where 'changed.price && price.move_percent > 5.0'
        What changes (Ctrl-C stops):
        """.formatted(seed, speed, cluster.bootstrapServers(), wiring.webPort(), market, KEY, wiring.managementPort(),
        data,
        bootstrap(cluster), bootstrap(cluster));
  }

  private static String bootstrap(KafkaCluster cluster) {
    return cluster.bootstrapServers().endsWith(":9092") ? "" : " --bootstrap " + cluster.bootstrapServers();
  }

  private static void liveChanges(KafkaCluster cluster, Application wiring, Instant start, StartedParts running) {
    var reader = running.add("the tape", new TopicReader(cluster.clientConfig(), taped(wiring), wiring.registry()));
    reader.begin(new StartPosition.At(start));
    var liveChanges =
        new LiveChangesPrinter(new RecordPrinter(ZoneId.systemDefault()), System.out, InstantSource.system());
    var thread = new Thread(() -> {
      try {
        reader.read(liveChanges);
      } catch (RuntimeException e) {
        running.fail(e);
      }
    }, "tape");
    thread.setDaemon(true);
    thread.start();
  }

  private static List<Topic<?>> taped(Application wiring) {
    return wiring.topics().stream()
        .filter(topic -> topic.name().endsWith(".changes") || topic.name().endsWith(".alerts"))
        .toList();
  }
}
