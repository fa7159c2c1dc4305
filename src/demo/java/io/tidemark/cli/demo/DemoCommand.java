package io.tidemark.cli.demo;

import io.tidemark.app.Application;
import io.tidemark.app.CommandFailure;
import io.tidemark.app.KafkaCluster;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.command.CliCommand;
import io.tidemark.cli.demo.PortOptions.BindAddress;
import io.tidemark.cli.plan.FirstConfiguration;
import io.tidemark.cli.plan.PlanPrinter;
import io.tidemark.cli.plan.SourcePlan;
import io.tidemark.cli.print.RecordPrinter;
import io.tidemark.cli.print.Terminal;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.TopicReader;
import io.tidemark.market.Operation;
import io.tidemark.serve.access.AccessKeys;
import io.tidemark.serve.access.AccessSettings.AnonymousAccess;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.ResponseJournal;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * The command that runs all roles, an embedded Kafka and a simulated market in one process, and prints changes as they
 * come.
 */
@Command(
    name = "demo", // described in Main, so that the help can show it without loading this class
    mixinStandardHelpOptions = true)
public final class DemoCommand extends CliCommand implements Runnable {

  private static final String KEY = "demo";
  private static final String NO_PLAN = "none";

  /** Key generated at this start, with which the user of the demo can silence alerts on the page. */
  private final String webKey = AccessKeys.generate();

  @Option(names = "--port", paramLabel = "PORT", defaultValue = "8080",
      description = "The web port; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int port = 8080;

  @Option(names = "--address", paramLabel = "ADDRESS", defaultValue = SimulatedMarketServer.LOOPBACK,
      description = "The address of the web port; 0.0.0.0 for all addresses of this machine. At any address but"
          + " 127.0.0.1, whoever reaches the port may read without a key. Kafka and metrics are always on 127.0.0.1"
          + " (default: ${DEFAULT-VALUE}).")
  String address = SimulatedMarketServer.LOOPBACK;

  @Option(names = "--kafka-port", paramLabel = "PORT", defaultValue = "9092",
      description = "The port of Kafka; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int kafkaPort = 9092;

  @Option(names = "--management-port", paramLabel = "PORT", defaultValue = "0",
      description = "The port of health and metrics; 0 takes any free one (default: ${DEFAULT-VALUE}).")
  int managementPort;

  @Option(names = "--data", paramLabel = "DIR", defaultValue = "./data/demo",
      description = "The folder for all data; a later demo with the same folder continues with the data (default:"
          + " ${DEFAULT-VALUE}).")
  Path data = Path.of("./data/demo");

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
      description = "Selects the market: the same seed gives the same market (default: ${DEFAULT-VALUE}).")
  long seed = 1;

  @Option(names = "--speed", paramLabel = "X", defaultValue = "" + SimulatorSettings.DEMO_SPEED,
      description = "Factor by which the market is livelier and its refresh periods are shorter, 0.1 to 100 (default: "
          + "${DEFAULT-VALUE}).")
  double speed = SimulatorSettings.DEMO_SPEED;

  @Option(names = "--plan", paramLabel = "PLAN",
      description = "A plan of the service: demo, basic, analyst, lite or pro. Polls the targets of 'init --for alerts'"
          + " with the calls of this plan, and prints the forecast of the plan (default: polls all that the market"
          + " shows, as often as the market changes).")
  @Nullable
  String plan;

  @Option(names = "--scenario", paramLabel = "NAME", defaultValue = "calm",
      description = "The kind of market, as for simulate: calm, launch-day, dirty-data, quiet, or one incident in a"
          + " quiet market, such as rug-pull or depeg (default: ${DEFAULT-VALUE}).")
  String scenario = "calm";

  @Option(names = "--receiver", paramLabel = "URL",
      description = "Also posts alerts to this address, as JSON. To try it, start 'receivers listen' first, and use"
          + " http://127.0.0.1:9999.")
  @Nullable
  String receiver;

  @Override
  public void run() {
    var ports = ports();
    var kind = SimulatedMarketServer.scenario(scenario, this::wrongUsage);
    requireValid(kind);
    try (var claimed = DataFolder.claim(data); var parts = new RunningComponents()) {
      ports.requireFree(); // so that a start that fails does not bind the folder to a market
      var simulator = simulator(claimed, kind);
      LogLevels.quieten(System::getenv);
      var refresh = refresh();
      var market = parts.add("the simulated market",
          SimulatedMarketServer.start(
              SimulatedMarketServer.LOOPBACK, 0, KEY, simulator, refresh, ResponseJournal.none()));
      var configuration = configuration(market.baseUrl(), refresh);
      var settings = configuration.settings();
      if (plan != null) {
        PlanPrinter.lines(SourcePlan.of(settings.sources().getFirst(), simulator.launchesPerHour()), Terminal.system())
            .forEach(out()::println);
      }
      out().println("Starting Kafka, the streams and a simulated market; this takes about ten seconds ...");
      out().flush();
      var application = new Application(settings, data.resolve("streams"), parts);
      var start = Instant.now();
      var cluster = application.start(EnumSet.allOf(Role.class));
      if (application.webProblem() != null) { // the user of a demo is there to choose another port
        throw new CommandFailure(CommandFailure.PROBLEM_FOUND, application.webProblem());
      }
      configuration.write(claimed, cluster.bootstrapServers(), application.webPort(), application.managementPort());
      out().println(addresses(cluster, application, market.baseUrl()));
      if (plan != null) {
        out().println("With this plan, changes are rare: './tidemark plan --live --config " + config()
            + "' shows what is polled next, and when.");
      }
      if (kind.hasIncident()) {
        out().println("The incident, " + kind.wire() + ", begins at " + simulator.incident() + ".");
      }
      printChanges(cluster, application, settings.sources().getFirst(), start, parts);
      parts.await();
    }
  }

  private PortOptions ports() {
    var loopback = InetAddress.getLoopbackAddress();
    var byOption = new LinkedHashMap<String, BindAddress>();
    byOption.put("--port", new BindAddress(webAddress(), port));
    byOption.put("--kafka-port", new BindAddress(loopback, kafkaPort));
    byOption.put("--management-port", new BindAddress(loopback, managementPort));
    try {
      return new PortOptions(byOption);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(String.valueOf(e.getMessage()));
    }
  }

  private InetAddress webAddress() {
    try {
      var found = InetAddress.getByName(address);
      if (found.isAnyLocalAddress() || found.isLoopbackAddress() || NetworkInterface.getByInetAddress(found) != null) {
        return found;
      }
    } catch (IOException e) {
      // the name is not known on this machine
    }
    throw wrongUsage("--address: this machine has no address " + address + "; use 0.0.0.0 for all of its addresses");
  }

  /** Checks speed, plan and receiver before the folder is claimed. */
  private void requireValid(Scenario kind) {
    try {
      new SimulatorSettings(seed, kind, speed);
    } catch (IllegalArgumentException e) {
      throw wrongUsage("--" + e.getMessage());
    }
    if (plan != null && !FirstConfiguration.PLANS.contains(plan)) {
      throw wrongUsage("--plan: '" + plan + "' is not one of " + String.join(", ", FirstConfiguration.PLANS));
    }
    if (receiver != null && !receiver.matches("https?://[^/].*")) {
      throw wrongUsage("--receiver: must be an address such as http://127.0.0.1:9999");
    }
  }

  /**
   * Returns the settings of the market to which the data folder is bound. A folder is bound to one seed, scenario,
   * plan and time of the incident, but not to a speed, because the records of two markets would mix in one history.
   * The first start binds it. The incident of this market happens only once, also over restarts.
   */
  private SimulatorSettings simulator(DataFolder claimed, Scenario kind) {
    requireSame("seed", Long.toString(seed), claimed.remembered("seed", () -> Long.toString(seed)));
    requireSame("scenario", kind.wire(), claimed.remembered("scenario", kind::wire));
    var budget = plan == null ? NO_PLAN : plan;
    requireSame("plan", budget, claimed.remembered("plan", () -> budget));
    var incident = claimed.remembered(
        "incident", () -> Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(kind.delay()).toString());
    return new SimulatorSettings(seed, kind, speed, Instant.parse(incident));
  }

  private void requireSame(String option, String wanted, String before) {
    if (!before.equals(wanted)) {
      throw new CommandFailure(CommandFailure.WRONG_USAGE, data + " holds the data of a demo with " + option + " "
          + before + ": " + (before.equals(NO_PLAN) ? "leave --" + option + " out" : "use --" + option + " " + before)
          + ", choose another folder with --data, or delete that folder");
    }
  }

  /**
   * Returns the refresh periods of the operations. With {@code --plan}, the periods are those of the real
   * service. Without it, the periods follow the speed of the market.
   */
  private Function<Operation, Duration> refresh() {
    return plan == null ? SimulatedMarketServer.refreshAt(speed) : first(plan, null).refresh()::period;
  }

  private static FirstConfiguration first(String plan, @Nullable URI market) {
    return new FirstConfiguration(plan, FirstConfiguration.ALERTS, FirstConfiguration.NETWORKS,
        market == null ? null : market.toString(), null);
  }

  DemoConfiguration configuration(URI market, Function<Operation, Duration> refresh) {
    var anonymous = webAddress().isLoopbackAddress() ? AnonymousAccess.LOCAL : AnonymousAccess.ANYWHERE;
    var values = new HashMap<>(Map.of(
        "WEB_ADDRESS", address,
        "WEB_ANONYMOUS", anonymous.wire(),
        "KAFKA_PORT", Integer.toString(kafkaPort),
        "KAFKA_DATA", data.toAbsolutePath().toString(),
        "WEB_PORT", Integer.toString(port),
        "MANAGEMENT_PORT", Integer.toString(managementPort),
        "MARKET_URL", market.toString(),
        "WEB_KEY_HASH", AccessKeys.hash(webKey)));
    for (var operation : Operation.values()) {
      values.put("REFRESH_" + operation.name(), refresh.apply(operation).toMillis() + "ms");
    }
    return DemoConfiguration.of(plan == null ? null : first(plan, market), values, KEY, receiver);
  }

  private String addresses(KafkaCluster cluster, Application application, URI market) {
    var web = webHost() + ":" + application.webPort();
    return """
        Open http://%s/ in a browser.
        Tidemark watches a simulated market (seed %d, speed %s%s); Ctrl-C stops it.
          Kafka     %s
          mirror    http://%s/api/v3
          registry  http://%s/registry
          market    %s (key: %s)
          key       %s (to silence alerts, apply rules and watch pools: log in at /#/login)
          metrics   http://127.0.0.1:%d/metrics
          data      %s
          config    %s (for watch, plan --live, rules, receivers: --config %s)
        %s""".formatted(web, seed, speed, plan == null ? "" : ", plan " + plan, cluster.bootstrapServers(), web, web,
        market, KEY, webKey,
        application.managementPort(), data, config(), config(), webAddress().isLoopbackAddress() ? "" : """
            Whoever reaches port %d may read the page, the feeds, the mirror and the registry without a key.
            Kafka, the market and the metrics are reachable only from where the demo runs.
            """.formatted(application.webPort()));
  }

  /** Returns the host at which this machine reaches the web port. */
  private String webHost() {
    var found = webAddress();
    return found.isAnyLocalAddress() ? SimulatedMarketServer.LOOPBACK
        : found instanceof Inet6Address ? "[" + found.getHostAddress() + "]" : found.getHostAddress();
  }

  private String config() {
    return data.resolve(DemoConfiguration.FILE).toString();
  }

  /** Returns the commands to try next. The first one prints something at once. */
  private List<String> tips(KafkaCluster cluster) {
    var reading = Stream.of("tail pool.changes --from 1m --count 10", "tail alerts", "tail movers", "topics",
        "tail pool.changes --where 'changed.price'", "audit", "rules list")
        .map(command -> command + clusterOptions(cluster));
    var configured = Stream.of("watch list", "plan --live").map(command -> command + " --config " + config());
    return Stream.concat(reading, configured).map(command -> "./tidemark " + command).toList();
  }

  /**
   * Returns the options with which other commands reach this cluster, or an empty string if its port is their
   * default, 9092.
   */
  private static String clusterOptions(KafkaCluster cluster) {
    return cluster.bootstrapServers().endsWith(":9092") ? "" : " --bootstrap " + cluster.bootstrapServers();
  }

  private void printChanges(KafkaCluster cluster, Application application, SourceSettings source,
      Instant start, RunningComponents parts) {
    var printed = application.topics().stream()
        .filter(topic -> topic.name().endsWith(".changes") || topic.name().endsWith(".alerts"))
        .toList();
    var reader = parts.add("the reader of changes",
        new TopicReader(cluster.clientConfig(), printed, application.registry()));
    reader.startAt(start);
    var quarantine = application.quarantine(source, ReaderRole.DEMO, printed);
    var lines = new RecordPrinter(ZoneId.systemDefault(), Terminal.system(), topic -> clusterOptions(cluster));
    var printer = new LiveChangesPrinter(lines, rawOut(), InstantSource.system(), quarantine::add, tips(cluster));
    rawOut().println(lines.titles());
    rawOut().flush();
    var thread = new Thread(() -> {
      try {
        reader.follow(printer, progress -> {
          printer.tick();
          return true;
        });
      } catch (RuntimeException e) {
        parts.fail(e);
      }
    }, "live-changes");
    thread.setDaemon(true);
    thread.start();
  }
}
