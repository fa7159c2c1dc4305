package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.SourceState;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.ResourceTopics;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import io.tidemark.simulator.server.ResponseJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole program: a simulated market over HTTP, polled into a real Kafka, stopped and started again. */
class ProgramIT {

  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final String PREFIX = SharedBroker.freshPrefix();
  static final Topics TOPICS = new Topics(PREFIX, Retention.DEFAULT);
  static final Set<String> RESOURCES =
      TOPICS.resources().stream().map(ResourceTopics::resource).collect(Collectors.toSet());

  static final String CONFIG = """
      kafka: { bootstrap-servers: "${KAFKA}" }
      web: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: ${PREFIX}
          base-url: ${MARKET}
          keys: [ { key: "${KEY}", per-minute: 3000, per-month: 100000000 } ]
          refresh: { token: 1s, pool: 1s, trending_pools: 1s, new_pools: 1s, global: 1s, coin_history: 1s,
                     coin_tickers: 1s, derivatives_exchange: 1s, treasury: 1s, asset_platforms: 1s }
          watch:
            networks:
              solana:
                new-pools: { pages: 2 }
                trending: { durations: [5m] }
                tokens: { So11111111111111111111111111111111111111112: { top-pools: true } }
            global: {}
            coins: { bitcoin: { history: { days: 3 }, tickers: {} } }
            derivatives: { deribit: { tickers: all } }
            treasuries: { strategy: {} }
            platforms: {}
      """;

  @TempDir
  Path streams;

  final Map<String, List<CommittedRecord>> read = new ConcurrentHashMap<>();
  MarketServer market;
  TopicReader reader;
  Thread reading;

  @BeforeEach
  void openMarket() {
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market =
        SimulatedMarketServer.start(
            SimulatedMarketServer.LOOPBACK, 0, "secret", world, operation -> Duration.ofSeconds(1),
            ResponseJournal.none());
  }

  @AfterEach
  void closeMarket() throws Exception {
    reader.close();
    reading.join();
    market.close();
  }

  @Test
  void stoppedAndStartedAgain_everyChangeFollowsTheOneBefore() {
    try (var running = new RunningComponents()) {
      start(running);
      await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500)).until(() -> changed().containsAll(RESOURCES));
      await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500))
          .until(() -> changesOf("pool") > 100 && changesOf("coin-day") >= 3);
    }
    var polls = snapshots("/global");
    var changes = changesOf("pool");
    var days = changesOf("coin-day");
    try (var running = new RunningComponents()) {
      start(running);
      await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500))
          .until(() -> snapshots("/global") > polls && changesOf("pool") > changes + 100);
    }

    assertThat(changesOf("coin-day")).as("days observed before are not polled again").isEqualTo(days);
    assertThat(found(TOPICS.deadLetters())).isEmpty();
    TOPICS.resources().forEach(resource -> assertThat(revisionsOutOfOrder(resource)).isEmpty());
    assertThat(found(TOPICS.sourceState())).last()
        .satisfies(found -> assertThat(((SourceState) found.value()).getBudget().getReserved())
            .as("only what was spent").isLessThan(3_000));
  }

  private void start(RunningComponents running) {
    var environment = Map.of("KAFKA", SharedBroker.bootstrapServers(), "PREFIX", PREFIX,
        "MARKET", market.baseUrl().toString(), "KEY", "secret");
    var wiring = new Application(Settings.parse("test.yaml", CONFIG, environment::get), streams, running);
    var cluster = wiring.start(EnumSet.allOf(Role.class));
    if (reader == null) {
      reader = new TopicReader(cluster.clientConfig(), wiring.topics(), wiring.registry());
      reader.startAtBeginning();
      reading = new Thread(() -> reader.follow(this::keep), "test-reader");
      reading.start();
    }
  }

  private boolean keep(CommittedRecord found) {
    read.computeIfAbsent(found.topic(), topic -> new CopyOnWriteArrayList<>()).add(found);
    return true;
  }

  private List<CommittedRecord> found(Topic<?> topic) {
    return read.getOrDefault(topic.name(), List.of());
  }

  private long changesOf(String resource) {
    return found(TOPICS.resource(resource).changes()).size();
  }

  private Set<String> changed() {
    return RESOURCES.stream().filter(resource -> changesOf(resource) > 0).collect(Collectors.toSet());
  }

  private long snapshots(String target) {
    return found(TOPICS.targetState()).stream().filter(found -> found.keyText().equals(target)).count();
  }

  private List<String> revisionsOutOfOrder(ResourceTopics<?, ?> resource) {
    var newest = new HashMap<String, Long>();
    return found(resource.changes()).stream()
        .filter(found -> newest.merge(found.keyText(), 1L, Long::sum) != (long) get(found.value(), "revision"))
        .map(found -> found.keyText() + " revision " + get(found.value(), "revision"))
        .toList();
  }

  private static Object get(SpecificRecord record, String field) {
    return record.get(record.getSchema().getField(field).pos());
  }
}
