package io.tidemark.bench;

import static java.util.Objects.requireNonNull;

import io.tidemark.bench.BenchResult.Round;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The bench part that measures how long commands take, from the start of their process: {@code --help} and {@code tail}
 * of one record until they end, {@code run} until it is ready, {@code rules apply} until the rules are in force in that
 * instance, {@code run} again after it was killed, and {@code demo} until it prints its first change.
 */
final class StartBench implements BenchPart {
  /** Pattern of a printed change or alert, whose line begins with its time. */
  private static final Pattern CHANGE = Pattern.compile("[0-9]{2}:[0-9]{2}:[0-9]{2} .*");

  private static final Pattern STARTED = Pattern.compile(".* started: Kafka at .* management port ([0-9]+);.*");

  /** JVM options of the launcher for commands that end soon, and for others. */
  private static final List<String> SHORT =
      List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=4", "-XX:+UseSerialGC");

  private static final List<String> LONG = List.of("-Xmx512m", "-XX:+UseSerialGC");

  private static final int MOST_ROUNDS = 2;
  private static final double SECOND = 1e9;

  /** Maximum seconds for a command. */
  private static final double MAX_HELP = 0.4;
  private static final double MAX_TAIL = 1.5;
  private static final double MAX_RUN = 10;
  private static final double MAX_APPLY = 5;

  /**
   * Maximum seconds until {@code run} is ready again. The consumer group of a source waits 10 s for an instance that
   * was killed.
   */
  private static final double MAX_RUN_AGAIN = 20;
  private static final double MAX_DEMO = 15;

  private static final Duration INTERVAL = Duration.ofMillis(20);
  private static final String KEY = "bench";

  private static final String RULES = """
      rules:
        - name: bench
          on: pool.changes
          when: changed.price
          annotations: { summary: "{{ id }}" }
      """;

  @Override
  public String name() {
    return "start";
  }

  @Override
  public String description() {
    return "from the start of the process: --help and tail until they end, run until it is ready, rules apply until"
        + " they are in force, run after kill -9 until it is ready, demo to its first change";
  }

  @Override
  public boolean takesLong() {
    return true;
  }

  @Override
  public List<BenchResult> run(BenchSettings settings, BenchKafka kafka, BenchProgress progress) {
    var rounds = settings.atMost(MOST_ROUNDS).rounds();
    var help = new ArrayList<Round>();
    var tail = new ArrayList<Round>();
    var run = new ArrayList<RunTimes>();
    var demo = new ArrayList<Round>();
    try (var source = BenchSource.create(kafka); var market = market()) {
      try (var ledger = source.ledger(ProducerFactory.KAFKA)) {
        source.fill(ledger, new SimulatedPages(Instant.now()), 1, (done, total) -> {});
      }
      for (var round = 0; round < rounds; round++) {
        help.add(new Round(untilEnd(ChildJvm.programCommand(SHORT, "--help"))));
        tail.add(new Round(untilEnd(tail(source))));
        try (var running = BenchSource.withoutTopics(kafka)) {
          run.add(runTimes(running, market.baseUrl()));
        }
        demo.add(new Round(demoStart()));
        progress.update(round + 1L, rounds);
      }
    }
    var results = new ArrayList<BenchResult>();
    results.add(BenchResult.lessIsBetter("start, --help", "s", help, MAX_HELP));
    results.add(BenchResult.lessIsBetter("start, tail", "s", tail, MAX_TAIL));
    results.add(result("start, run", run, RunTimes::first, MAX_RUN));
    results.add(result("start, run after kill -9", run, RunTimes::again, MAX_RUN_AGAIN));
    results.add(result("start, rules apply", run, RunTimes::apply, MAX_APPLY));
    results.add(BenchResult.lessIsBetter("start, demo", "s", demo, MAX_DEMO));
    return results;
  }

  private static BenchResult result(String name, List<RunTimes> run, Function<RunTimes, Round> of, double aim) {
    return BenchResult.lessIsBetter(name, "s", run.stream().map(of).toList(), aim);
  }

  private static MarketServer market() {
    var simulator = new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.system());
    var cache = new EdgeCache(
        simulator::at, operation -> Duration.ofSeconds(10), FieldNaming.DOCUMENT, InstantSource.system());
    var routes = new SimulatedRoutes(KEY::equals, cache,
        ResponseJournal.none(), InstantSource.system());
    return requireNonNull(MarketServer.start("127.0.0.1", 0, routes).block());
  }

  private static List<String> tail(BenchSource source) {
    return ChildJvm.programCommand(SHORT, "tail", source.topics().pool().changes().name(), "--from", "beginning",
        "--count",
        "1", "--bootstrap", source.bootstrapServers(), "--prefix", source.topics().prefix());
  }

  /**
   * The seconds that an instance takes.
   *
   * @param first seconds until all roles are ready, with topics that do not exist yet
   * @param apply seconds until rules are in force, including the command that applies the rules
   * @param again seconds until all roles are ready after the instance was killed
   */
  private record RunTimes(Round first, Round apply, Round again) {}

  private static RunTimes runTimes(BenchSource source, URI market) {
    return inFolder(folder -> {
      var config = Files.writeString(folder.resolve("tidemark.yaml"), """
          kafka: { bootstrap-servers: "%s" }
          management: { port: 0 }
          web: { port: 0 }
          sources:
            - prefix: %s
              base-url: %s
              keys: [ { key-file: "%s", per-minute: 60, per-month: 10000000 } ]
              watch: { networks: { %s: { trending: { durations: [24h] } } } }
          """.formatted(source.bootstrapServers(), source.topics().prefix(), market,
          Files.writeString(folder.resolve("key"), KEY), SimulatedPages.NETWORK));
      var run = ChildJvm.programCommand(LONG, "run", "--config", config.toString(),
          "--stream-states", folder.resolve("streams").toString());
      double first;
      double apply;
      try (var process = new StartedProcess(run)) { // closing kills it
        first = awaitReady(process);
        var rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
        apply = untilEnd(
            ChildJvm.programCommand(SHORT, "rules", "apply", rules.toString(), "--config", config.toString()));
      }
      try (var process = new StartedProcess(run)) {
        return new RunTimes(new Round(first), new Round(apply), new Round(awaitReady(process)));
      }
    });
  }

  /** Returns the seconds until a demo prints its first change. */
  private static double demoStart() {
    return inFolder(folder -> {
      try (var process = new StartedProcess(ChildJvm.programCommand(
          LONG, "demo", "--port", "0", "--kafka-port", "0", "--data", folder.resolve("data").toString()))) {
        process.awaitLine(CHANGE);
        return process.seconds();
      }
    });
  }

  /** Returns the seconds until {@code run} is ready. */
  private static double awaitReady(StartedProcess process) throws IOException, InterruptedException {
    var port = process.awaitLine(STARTED).replaceAll(STARTED.pattern(), "$1");
    try (var client = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/ready")).build();
      while (client.send(request, BodyHandlers.discarding()).statusCode() != 200) {
        process.requireAlive();
        Thread.sleep(INTERVAL);
      }
      return process.seconds();
    }
  }

  /** Returns the seconds until a process ends, which must succeed. */
  static double untilEnd(List<String> command) {
    return inFolder(folder -> {
      var log = folder.resolve("log").toFile();
      var begun = System.nanoTime();
      var process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
      var code = process.waitFor();
      var seconds = (System.nanoTime() - begun) / SECOND;
      if (code != 0) {
        throw new IllegalStateException("start: a command ended with exit code %d; its output is\n%s".formatted(
            code, Files.readString(log.toPath())));
      }
      return seconds;
    });
  }

  private interface FolderTask<R> {
    R run(Path folder) throws IOException, InterruptedException;
  }

  private static <R> R inFolder(FolderTask<R> measurement) {
    try {
      var folder = Files.createTempDirectory("tidemark-start");
      try {
        return measurement.run(folder);
      } finally {
        BenchKafka.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** A command that runs until it is closed, with the lines that it printed. */
  private static final class StartedProcess implements AutoCloseable {
    private final long begun = System.nanoTime();
    private final List<String> printed = new ArrayList<>();
    private final Process process;
    private final BufferedReader lines;

    StartedProcess(List<String> command) throws IOException {
      process = new ProcessBuilder(command).redirectErrorStream(true).start();
      lines = process.inputReader(StandardCharsets.UTF_8);
    }

    String awaitLine(Pattern pattern) throws IOException {
      for (var line = lines.readLine(); line != null; line = lines.readLine()) {
        printed.add(line);
        if (pattern.matcher(line).matches()) {
          return line;
        }
      }
      throw ended();
    }

    void requireAlive() {
      if (!process.isAlive()) {
        throw ended();
      }
    }

    double seconds() {
      return (System.nanoTime() - begun) / SECOND;
    }

    private IllegalStateException ended() {
      return new IllegalStateException(
          "start: a command ended too early; its output is\n" + String.join("\n", printed));
    }

    @Override
    public void close() {
      process.destroyForcibly().onExit().join();
    }
  }
}
