package io.tidemark.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.app.Application;
import io.tidemark.app.Role;
import io.tidemark.app.RunningComponents;
import io.tidemark.app.config.Settings;
import io.tidemark.capture.ledger.ProcessMemory;
import io.tidemark.cli.demo.SimulatedMarketServer;
import io.tidemark.event.PoolChange;
import io.tidemark.event.TargetState;
import io.tidemark.eventlog.ClusterAudit;
import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.EmbeddedBroker;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.server.MarketServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka stops, and comes back where it was. For ten minutes instead of seconds: {@code -Dtidemark.away=PT10M}, as
 * docs/running/operations.md says.
 */
class KafkaOutageIT {

  static final Duration AWAY = Duration.parse(System.getProperty("tidemark.away", "PT0S"));
  static final Duration TIMEOUT = Duration.ofMinutes(4);
  static final Duration STILL = Duration.ofSeconds(5);
  static final Duration MINUTE = Duration.ofMinutes(1);
  static final Topics TOPICS = new Topics("away.", Retention.DEFAULT);

  static final String CONFIG = """
      kafka:
        bootstrap-servers: "${KAFKA}"
      web: { port: 0 }
      management: { port: 0 }
      topics: { partitions: 2 }
      sources:
        - prefix: away.
          base-url: ${MARKET}
          keys: [ { key: "${KEY}", per-minute: 3000, per-month: 100000000 } ]
          refresh: { trending_pools: 1s, new_pools: 1s, global: 1s }
          watch:
            networks: { solana: { new-pools: { pages: 2 }, trending: { durations: [5m] } } }
            global: {}
      """;

  @TempDir
  Path folder;

  final AtomicInteger calls = new AtomicInteger();
  int callsBefore;
  EmbeddedBroker broker;
  MarketServer market;
  Application wiring;

  @BeforeEach
  void open() throws IOException {
    broker = EmbeddedBroker.start(new BrokerSettings(0, folder.resolve("kafka")));
    var world = new SimulatorSettings(7, Scenario.CALM, 50);
    market = SimulatedMarketServer.start(
        SimulatedMarketServer.LOOPBACK, 0, "secret", world, operation -> Duration.ofSeconds(1),
        served -> calls.incrementAndGet());
  }

  @AfterEach
  void close() {
    market.close();
    broker.close();
  }

  @Test
  void kafkaOutage_pausesPollingAndChangesContinueAfterwards() throws Exception {
    Instant stopped;
    Instant back;
    try (var running = new RunningComponents()) {
      start(running);
      awaitCalls(60);
      printCalls("before");
      var outageStart = Instant.now();
      broker.close();
      await("no more calls").atMost(TIMEOUT).pollInterval(Duration.ofMillis(500)).during(STILL)
          .until(this::stoodStill);
      stopped = Instant.now();
      stayAway(outageStart.plus(AWAY));
      assertThat(calls.get()).as("no call is made meanwhile").isEqualTo(callsBefore);
      await().atMost(TIMEOUT).untilAsserted(() -> assertThat(body("/health/ready"))
          .contains("\"tidemark-sources\":{\"status\":\"degraded\",\"message\":\"Kafka has not answered for ")
          .contains("\"source main\":{\"status\":\"degraded\",\"message\":\"degraded: Kafka has not answered since "));
      assertThat(body("/health/live")).as("a restart would not help").doesNotContain("\"down\"");
      assertThat(body("/metrics")).doesNotContain("tidemark_kafka_outage_seconds{source=\"main\"} 0.0");
      back = Instant.now();
      broker = EmbeddedBroker.start(new BrokerSettings(port(), folder.resolve("kafka")));
      awaitCalls(60);
      printCalls("after");
      assertThat(body("/metrics")).contains("tidemark_kafka_outage_seconds{source=\"main\"} 0.0");
    }

    var states = found(TOPICS.targetState(), TargetState.class);
    assertThat(outOfOrder(states)).isEmpty();
    assertThat(revisionsOutOfOrder()).isEmpty();
    assertThat(found(TOPICS.pool().changes(), PoolChange.class))
        .as("the first change after it has the times of the snapshots between which it happened")
        .anySatisfy(change -> {
          assertThat(change.getOrigin().getObservedAt()).isAfter(back);
          assertThat(change.getOrigin().getPreviousObservedAt())
              .isBefore(stopped)
              .isEqualTo(snapshotBefore(change, states));
        });
    ClusterAudit.holds(KafkaAccess.open(broker.bootstrapServers()), wiring.registry(), TOPICS);
  }

  private void start(RunningComponents running) {
    var environment =
        Map.of("KAFKA", broker.bootstrapServers(), "MARKET", market.baseUrl().toString(), "KEY", "secret");
    wiring = new Application(
        Settings.parse("test.yaml", CONFIG, environment::get), folder.resolve("streams"), running);
    wiring.start(EnumSet.allOf(Role.class));
  }

  private String body(String path) throws IOException, InterruptedException {
    var address = URI.create("http://127.0.0.1:" + wiring.managementPort() + path);
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString()).body();
    }
  }

  private int port() {
    return Integer.parseInt(broker.bootstrapServers().split(":")[1]);
  }

  private void awaitCalls(int more) {
    var enough = calls.get() + more;
    await("calls").atMost(TIMEOUT).until(() -> calls.get() >= enough);
  }

  private boolean stoodStill() {
    var before = callsBefore;
    callsBefore = calls.get();
    return callsBefore == before;
  }

  private void stayAway(Instant until) {
    while (Instant.now().isBefore(until)) {
      var minute = Instant.now().plus(MINUTE);
      printCalls("away");
      await().pollDelay(Duration.ZERO).atMost(MINUTE.multipliedBy(2))
          .until(() -> Instant.now().isAfter(until) || Instant.now().isAfter(minute));
    }
  }

  private void printCalls(String when) {
    System.out.printf("%s %s: %d calls, memory %s%n", Instant.now(), when, calls.get(), ProcessMemory.ofThisProcess());
  }

  /** Snapshots that do not follow the one before them. */
  private static List<String> outOfOrder(List<TargetState> states) {
    var newest = new HashMap<String, Instant>();
    return states.stream()
        .filter(
            state -> !Objects.equals(
                newest.put(state.getTarget(), state.getObservedAt()), state.getPreviousObservedAt()))
        .map(TargetState::toString)
        .toList();
  }

  private List<String> revisionsOutOfOrder() {
    var newest = new HashMap<String, Long>();
    return found(TOPICS.pool().changes(), PoolChange.class).stream()
        .filter(change -> newest.merge(change.getId(), 1L, Long::sum) != change.getRevision())
        .map(change -> change.getId() + " revision " + change.getRevision())
        .toList();
  }

  private static Instant snapshotBefore(PoolChange change, List<TargetState> states) {
    return states.stream()
        .filter(state -> state.getTarget().equals(change.getOrigin().getTarget()))
        .map(TargetState::getObservedAt)
        .filter(at -> at.isBefore(change.getOrigin().getObservedAt()))
        .max(Instant::compareTo)
        .orElseThrow();
  }

  private <V extends SpecificRecord> List<V> found(Topic<V> topic, Class<V> type) {
    var all = new ArrayList<V>();
    Map<String, Object> kafka = Map.of("bootstrap.servers", broker.bootstrapServers());
    try (var reader = new TopicReader(kafka, List.of(topic), wiring.registry())) {
      reader.readAll(found -> all.add(type.cast(found.value())));
    }
    return all;
  }
}
