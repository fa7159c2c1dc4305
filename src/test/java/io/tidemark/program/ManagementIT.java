package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The management port of the whole program. */
class ManagementIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final String KEY = "secret-of-the-market";

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 1 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { key: "${KEY}", per-minute: 3000, per-month: 100000000 } ]
          refresh: { new_pools: 1s, global: 1s }
          watch: { global: {}, networks: { solana: { new-pools: {} } } }
      """;

  @TempDir
  Path streams;

  final HttpClient http = HttpClient.newHttpClient();
  final RunningComponents running = new RunningComponents();
  final SecretsInLog overheard = new SecretsInLog(KEY);
  MarketServer market;
  int port;

  @BeforeEach
  void openMarket() {
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market = SimulatedMarketServer.start(
        SimulatedMarketServer.LOOPBACK, 0, KEY, world, operation -> Duration.ofSeconds(1), ResponseJournal.none());
  }

  @AfterEach
  void close() {
    running.close();
    market.close();
    overheard.close();
    assertThat(overheard.lines).as("the key in the log, at debug level").isEmpty();
    assertThat(overheard.networkErrors).as("a wrong key, and a stop, have words of our own").isEmpty();
    assertThat(overheard.heardSomething()).isTrue();
  }

  @Test
  void allRoles_areReadyAndHaveMetrics() throws Exception {
    start(KEY);

    await().atMost(TIMEOUT).until(() -> get("/health/ready").body().startsWith("{\"status\":\"up\""));
    assertThat(get("/health/started").statusCode()).isEqualTo(200);
    await().atMost(TIMEOUT).until(() -> get("/metrics").body().contains("tidemark_changes_total"));

    assertThat(get("/health/ready").body()).contains("source main", "streams of main", "polling");
    assertThat(get("/metrics").body())
        .contains("jvm_memory_used_bytes", "process_uptime_seconds", "logback_events_total")
        .contains("kafka_producer_txn_commit_time_ns_total", "kafka_stream_", "reactor_netty_http_client")
        .doesNotContain(KEY);
  }

  @Test
  void rejectedKey_isDegradedWithAMessage_andTheProgramRuns() throws Exception {
    start("wrong-" + KEY);

    await().atMost(TIMEOUT).until(() -> get("/health/ready").body().contains("keys are out"));

    var ready = get("/health/ready");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body()).contains("degraded: 1 of 1 keys are out: 1 (refused: ").doesNotContain(KEY);
    assertThat(get("/health/live").statusCode()).isEqualTo(200);
    assertThat(get("/metrics").body())
        .contains("tidemark_source_status{source=\"main\",status=\"degraded\"} 1.0")
        .contains("tidemark_key_status{key=\"1\",source=\"main\",status=\"refused\"} 1.0")
        .doesNotContain(KEY);
  }

  private void start(String key) {
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", SharedBroker.freshPrefix(),
        "MARKET", market.baseUrl().toString(), "KEY", key);
    var wiring = new Application(Settings.parse("test.yaml", CONFIG, environment::get), streams, running);
    wiring.start(EnumSet.allOf(Role.class));
    port = wiring.managementPort();
  }

  private HttpResponse<String> get(String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return http.send(request, BodyHandlers.ofString());
  }
}
