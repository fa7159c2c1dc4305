package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.audit.Audit;
import io.tidemark.audit.AuditReport;
import io.tidemark.audit.KafkaClusterReader;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.TargetState;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.ResponseJournal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One source polls a market, another one the mirror of the first: two ways to the same states. */
class MirrorIT {
  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final Topics FIRST = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  static final Topics SECOND = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final int TARGETS = 10;

  static final String SOURCE = """
        - name: %s
          prefix: ${%s_PREFIX}
          base-url: ${%s_URL}
          keys: [ { per-minute: 3000, per-month: 100000000 } ]
          refresh: { token: 1s, pool: 1s, dex_pools: 1s, trending_pools: 1s, new_pools: 1s, token_pools: 1s, global: 1s,
                     coin_tickers: 1s, derivatives_exchange: 1s, treasury: 1s, asset_platforms: 1s }
          watch:
            networks:
              solana: { new-pools: {}, trending: { durations: [5m] } }
              eth:
                dexes: { uniswap_v3: {} }
                tokens: { "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2": { top-pools: true, pools: {} } }
                pools: { "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640": { composition: true } }
            global: {}
            derivatives: { deribit: { tickers: all } }
            treasuries: { strategy: { holding-amount-change: [7d] } }
            platforms: {}
      """;

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 3 }
      sources:
      """ + SOURCE.formatted("market", "FIRST", "FIRST") + SOURCE.formatted("mirror", "SECOND", "SECOND");

  @TempDir
  Path streams;

  final BuiltInRegistry registry = new BuiltInRegistry(FIRST.all());

  @Test
  void sourceThatPollsAMirror_hasTopicsThatPassTheAudit() throws Exception {
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    try (var running = new RunningComponents();
        var market = SimulatedMarketServer.start(SimulatedMarketServer.LOOPBACK, 0, "", world,
            operation -> Duration.ofSeconds(1), ResponseJournal.none())) {
      var wiring = start(running, market.baseUrl());

      await().atMost(TIMEOUT).pollInterval(Duration.ofSeconds(1)).until(() -> isObserved(SECOND, 5));

      assertServes(wiring);
      assertThat(get(wiring.managementPort(), "/health/ready").body())
          .contains("\"mirror of market\":{\"status\":\"up\",\"message\":\"caught up\"}");
      assertThat(get(wiring.managementPort(), "/metrics").body())
          .contains("tidemark_mirror_caught_up{source=\"mirror\"} 1.0", "tidemark_mirror_resources{source=\"market\"}");
    }
    assertThat(audit(FIRST).violations()).isEmpty();
    assertThat(audit(SECOND).violations()).isEmpty();
    assertThat(audit(SECOND).records()).isGreaterThan(500);
  }

  /** The web server has its port before polling starts, which asks it; returns the application of the web server. */
  private Application start(RunningComponents running, URI market) {
    var web = new Application(settings(market, 1), streams.resolve("web"), running);
    web.start(EnumSet.of(Role.WEB));
    new Application(settings(market, web.webPort()), streams.resolve("poll"), running).start(EnumSet.of(Role.POLL));
    return web;
  }

  private static Settings settings(URI market, int mirrorPort) {
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "FIRST_PREFIX", FIRST.prefix(),
        "SECOND_PREFIX", SECOND.prefix(), "FIRST_URL", market.toString(), "SECOND_URL",
        "http://127.0.0.1:" + mirrorPort + "/api/v3");
    return Settings.parse("test.yaml", CONFIG, environment::get);
  }

  /** The first source is at the root, both by their names; a body that the reader has is not sent again. */
  private static void assertServes(Application wiring) throws Exception {
    var root = get(wiring.webPort(), "/api/v3/onchain/networks/solana/trending_pools?duration=5m");
    var second = get(wiring.webPort(), "/sources/mirror/api/v3/onchain/networks/solana/trending_pools?duration=5m");
    var unknown = get(wiring.webPort(), "/sources/nobody/api/v3/global");
    var unwatched = get(wiring.webPort(), "/api/v3/onchain/networks/base/new_pools");

    assertThat(root.statusCode()).isEqualTo(200);
    assertThat(root.body()).contains("\"type\":\"pool\"", "\"included\":");
    assertThat(Long.parseLong(root.headers().firstValue("Age").orElseThrow())).isLessThan(60);
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unwatched.statusCode()).isEqualTo(404);
    assertThat(unwatched.body()).contains("\"errors\":[", "new-pools");
  }

  /** Whether each target was observed so often. */
  private boolean isObserved(Topics topics, int times) {
    var snapshots = new HashMap<String, Long>();
    try (var reader = new TopicReader(CLIENT, List.of(topics.targetState()), registry)) {
      reader.readAll(record -> {
        if (record.value() instanceof TargetState state && state.getObservedPages() != null
            && state.getObservedPages() > 0) {
          snapshots.put(record.keyText(), state.getSnapshot());
        }
      });
    }
    return snapshots.size() == TARGETS && snapshots.values().stream().allMatch(each -> each >= times);
  }

  private AuditReport audit(Topics topics) {
    var report = new AuditReport(TARGETS);
    try (var log = new KafkaClusterReader(CLIENT, registry, topics.all())) {
      new Audit(topics, log, InstantSource.system()).run(report, (done, total) -> {});
    }
    return report;
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
