package io.tidemark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The derived roles of the whole program fail, at their start and later: polling goes on, and each comes back. */
class DerivedRolesIT {

  static final Duration TIMEOUT = Duration.ofMinutes(3);

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: "${WEB_PORT}" }
      management: { port: 0 }
      topics: { partitions: 1 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { key: "${KEY}", per-minute: 3000, per-month: 100000000 } ]
          refresh: { global: 1s }
          watch: { global: {} }
      """;

  @TempDir
  Path folder;

  final HttpClient http = HttpClient.newHttpClient();
  final RunningComponents running = new RunningComponents();
  MarketServer market;
  Application application;

  @BeforeEach
  void openMarket() {
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market = SimulatedMarketServer.start(
        SimulatedMarketServer.LOOPBACK, 0, "key", world, operation -> Duration.ofSeconds(1), ResponseJournal.none());
  }

  @AfterEach
  void close() {
    running.close();
    market.close();
  }

  @Test
  void failingRoles_degradeAndComeBack_whilePollingGoesOn() throws Exception {
    var states = folder.resolve("streams");
    Files.writeString(states, "no folder");
    try (var occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      start(states, occupied.getLocalPort());
      awaitMorePolls();

      assertThat(get("/health/live").statusCode()).isEqualTo(200);
      var ready = get("/health/ready");
      assertThat(ready.statusCode()).as("for readers, who find other instances").isEqualTo(503);
      assertThat(ready.body())
          .contains("\"web\":{\"status\":\"down\",\"message\":\"restarting after a failure: web: cannot listen")
          .contains("\"streams of main\":{\"status\":\"degraded\",\"message\":\"restarting after a failure: ");
      assertThat(get("/metrics").body())
          .contains("tidemark_role_up{role=\"web\",source=\"all\"} 0.0")
          .contains("tidemark_role_up{role=\"stream\",source=\"main\"} 0.0");
    }
    Files.delete(states);
    awaitAllUp();

    for (var role : application.derivedRoles()) {
      var before = role.running();
      before.close();
      awaitMorePolls();
      await().atMost(TIMEOUT).until(() -> role.running() != null && role.running() != before);
    }
    awaitAllUp();
    assertThat(get("/metrics").body())
        .contains("tidemark_role_up{role=\"web\",source=\"all\"} 1.0")
        .contains("tidemark_stream_state{source=\"main\",state=\"running\"} 1.0");
  }

  private void awaitAllUp() {
    await().atMost(TIMEOUT).until(() -> get("/health/ready").body().startsWith("{\"status\":\"up\""));
  }

  private void awaitMorePolls() throws Exception {
    var before = commits();
    await().atMost(TIMEOUT).until(() -> commits() > before + 2);
  }

  private double commits() throws Exception {
    return get("/metrics").body().lines()
        .filter(line -> line.startsWith("tidemark_polls_total{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private void start(Path states, int webPort) {
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", SharedBroker.freshPrefix(),
        "MARKET", market.baseUrl().toString(), "WEB_PORT", Integer.toString(webPort), "KEY", "key");
    application =
        new Application(Settings.parse("test.yaml", CONFIG, environment::get), states, running, Duration.ofSeconds(1));
    application.start(EnumSet.allOf(Role.class));
  }

  private HttpResponse<String> get(String path) throws Exception {
    var uri = URI.create("http://127.0.0.1:" + application.managementPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
