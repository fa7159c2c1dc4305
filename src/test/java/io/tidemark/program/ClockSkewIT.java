package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.TargetState;
import io.tidemark.eventlog.ClusterAudit;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.EdgeCache;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import io.tidemark.simulator.server.SimulatedRoutes;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services whose clocks are minutes ahead or behind: their changes are published as those of any other. */
class ClockSkewIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final Duration APART = Duration.ofMinutes(5);
  static final int SNAPSHOTS = 6;

  @TempDir
  Path folder;

  final Topics ahead = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final Topics behind = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 1 }
      sources:
        - name: ahead
          prefix: ${AHEAD_PREFIX}
          base-url: ${AHEAD}
          keys: [ { per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s, global: 1s }
          watch: { networks: { solana: { new-pools: {} } }, global: {} }
        - name: behind
          prefix: ${BEHIND_PREFIX}
          base-url: ${BEHIND}
          keys: [ { per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s, global: 1s }
          watch: { networks: { solana: { new-pools: {} } }, global: {} }
      """;

  @Test
  void clocksOfTheService_areMinutesApart_nothingOfItIsRefused() throws Exception {
    try (var late = market(APART.negated()); var early = market(APART); var running = new RunningComponents()) {
      var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(),
          "AHEAD", early.baseUrl().toString(), "AHEAD_PREFIX", ahead.prefix(),
          "BEHIND", late.baseUrl().toString(), "BEHIND_PREFIX", behind.prefix());
      var wiring = new Application(Settings.parse("test.yaml", CONFIG, environment::get), folder, running);
      wiring.start(EnumSet.of(Role.POLL));

      for (var topics : List.of(ahead, behind)) {
        await().atMost(TIMEOUT).until(() -> targetStates(wiring, topics).size() >= SNAPSHOTS);
        assertThat(targetStates(wiring, topics)).allSatisfy(state -> assertThat(state.getRejections()).isEmpty());
        ClusterAudit.holds(SharedBroker.access(), wiring.registry(), topics);
      }
      await().atMost(TIMEOUT).untilAsserted(() -> {
        assertThat(drift(wiring, "ahead")).isBetween(-302.0, -298.0);
        assertThat(drift(wiring, "behind")).isBetween(298.0, 302.0);
      });
    }
  }

  private static MarketServer market(Duration apart) {
    var clock = Clock.offset(Clock.systemUTC(), apart);
    var simulator = new Simulator(new SimulatorSettings(7, Scenario.CALM, 50), clock);
    var cache = new EdgeCache(simulator::at, operation -> Duration.ofSeconds(1), FieldNaming.DOCUMENT, clock);
    var routes = new SimulatedRoutes(key -> true, cache,
        ResponseJournal.none(), clock);
    return Objects.requireNonNull(MarketServer.start(SimulatedMarketServer.LOOPBACK, 0, routes).block());
  }

  private static List<TargetState> targetStates(Application wiring, Topics topics) {
    var all = new ArrayList<TargetState>();
    Map<String, Object> kafka = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
    try (var reader = new TopicReader(kafka, List.of(topics.targetState()), wiring.registry())) {
      reader.readAll(found -> all.add((TargetState) found.value()));
    }
    return all;
  }

  private static double drift(Application wiring, String source) throws Exception {
    var metrics = URI.create("http://127.0.0.1:" + wiring.managementPort() + "/metrics");
    try (var client = HttpClient.newHttpClient()) {
      var body = client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
      var line = Pattern.compile("tidemark_clock_drift_seconds\\{source=\"" + source + "\"} ([-0-9.]+)");
      var figure = line.matcher(body);
      assertThat(figure.find()).as(body).isTrue();
      return Double.parseDouble(figure.group(1));
    }
  }
}
