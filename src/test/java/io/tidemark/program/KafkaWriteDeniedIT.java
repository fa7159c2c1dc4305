package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.PoolChange;
import io.tidemark.eventlog.ClusterAudit;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.FaultyBroker;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program loses the right to write: it retries, and its counters match what is in Kafka. */
class KafkaWriteDeniedIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final Topics TOPICS = new Topics("forbidden.", Retention.DEFAULT);
  static final Pattern COUNTED =
      Pattern.compile("tidemark_changes_total\\{[^}]*topic=\"pool.changes\"[^}]*} ([0-9.E]+)");

  static final Pattern FAILED_SESSIONS =
      Pattern.compile("tidemark_source_session_failures_total\\{reason=\"other\",source=\"main\"} ([0-9.E]+)");

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: forbidden.
          base-url: ${MARKET}
          keys: [ { per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s }
          watch: { networks: { solana: { new-pools: {} } } }
      """;

  @TempDir
  Path folder;

  FaultyBroker broker;
  MarketServer market;
  Application wiring;

  @BeforeEach
  void open() throws Exception {
    broker = new FaultyBroker(folder);
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market = SimulatedMarketServer.start(
        SimulatedMarketServer.LOOPBACK, 0, null, world, operation -> Duration.ofSeconds(1), ResponseJournal.none());
  }

  @AfterEach
  void close() {
    market.close();
    broker.close();
  }

  @Test
  void lostWriteAccess_isRetriedUntilItComesBack() throws Exception {
    try (var running = new RunningComponents(); var admin = Admin.create(kafka())) {
      start(running);
      await().atMost(TIMEOUT).until(() -> number(COUNTED) > 0);
      admin.createAcls(FaultyBroker.readOnly(TOPICS.pool().changes().name())).all().get();

      await().atMost(TIMEOUT).until(() -> number(FAILED_SESSIONS) > 3);
      // between two sessions, the metrics may be unavailable for a moment
      await().atMost(TIMEOUT).untilAsserted(
          () -> assertThat(changes()).as("what is counted as committed").hasSize((int) number(COUNTED)));

      var before = changes().size();
      admin.deleteAcls(FaultyBroker.filters(TOPICS.pool().changes().name())).all().get();
      await().atMost(TIMEOUT).until(() -> changes().size() > before);
    }
    ClusterAudit.holds(KafkaAccess.open(broker.bootstrapServers()), wiring.registry(), TOPICS);
  }

  private void start(RunningComponents running) {
    var environment = Map.of("KAFKA", broker.bootstrapServers(), "MARKET", market.baseUrl().toString());
    wiring = new Application(Settings.parse("test.yaml", CONFIG, environment::get), folder.resolve("streams"), running);
    wiring.start(EnumSet.of(Role.POLL));
  }

  private double number(Pattern metric) throws Exception {
    var found = metric.matcher(metrics());
    return found.find() ? Double.parseDouble(found.group(1)) : 0;
  }

  private String metrics() throws Exception {
    var metrics = URI.create("http://127.0.0.1:" + wiring.managementPort() + "/metrics");
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString()).body();
    }
  }

  private List<PoolChange> changes() {
    var all = new ArrayList<PoolChange>();
    try (var reader = new TopicReader(kafka(), List.of(TOPICS.pool().changes()), wiring.registry())) {
      reader.readAll(found -> all.add((PoolChange) found.value()));
    }
    return all;
  }

  private Map<String, Object> kafka() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }
}
