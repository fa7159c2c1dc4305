package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.TargetState;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.KafkaAccess;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A run of the program from a simulated market over HTTP to Kafka, which watches with all operations and options. */
final class EventLogRun implements AutoCloseable {
  /** The number of targets in {@code watch.yaml}, with its two days of history. */
  static final int TARGETS = 20;

  /** The partitions of each data topic. */
  static final int PARTITIONS = 3;

  private static final Duration WAIT = Duration.ofMinutes(4);

  /** Time between two readings of the whole event log. */
  private static final Duration WHOLE_LOG_INTERVAL = Duration.ofSeconds(3);

  private final KafkaAccess kafka;
  private final Path folder;
  private final Topics topics;
  private final BuiltInRegistry registry;
  private final SimulatedMarket market;
  private ProgramProcess program;

  EventLogRun(KafkaAccess kafka, String prefix, Path folder, Scenario scenario, String events) throws IOException {
    this.kafka = kafka;
    this.folder = folder;
    this.topics = new Topics(prefix, Retention.DEFAULT);
    this.registry = new BuiltInRegistry(topics.all());
    this.market = new SimulatedMarket(scenario, 100);
    Files.writeString(folder.resolve("tidemark.yaml"),
        configuration(kafka.section(folder), 1, prefix, market.baseUrl(), events));
    this.program = start();
  }

  private ProgramProcess start() {
    return ProgramProcess.start(folder, "run", "--config", "tidemark.yaml", "--only", "poll");
  }

  /**
   * Returns a configuration that watches everything.
   *
   * @param kafka the section for Kafka
   */
  static String configuration(String kafka, int replication, String prefix, URI service, String events)
      throws IOException {
    String refresh = SimulatedMarket.REFRESH.entrySet().stream()
        .map(each -> each.getKey().wire() + ": " + each.getValue().toMillis() + "ms")
        .collect(Collectors.joining(", "));
    try (var in = Objects.requireNonNull(EventLogRun.class.getResourceAsStream("watch.yaml"))) {
      return """
          %s
          topics: { partitions: %d, replication: %d }
          sources:
            - name: main
              prefix: %s
              base-url: %s
              keys: [ { per-minute: 3000, per-month: 100000000 } ]
              events: %s
              refresh: { %s }
          """.formatted(kafka, PARTITIONS, replication, prefix, service, events, refresh)
          + new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Waits until every target was polled this many times, and a past day of a coin once. */
  void awaitSnapshots(int times) {
    waiting().until(() -> {
      Map<String, Long> snapshots = new HashMap<>();
      new EventLogReader(kafka, registry, Stream.of(topics.targetState())).read().forEach(
          entry -> snapshots.merge(entry.key(), ((TargetState) Objects.requireNonNull(entry.value())).getSnapshot(),
              Math::max));
      return snapshots.size() >= TARGETS
          && snapshots.entrySet().stream().allMatch(each -> each.getValue() >= (isDay(each.getKey()) ? 1 : times));
    });
  }

  /**
   * Waits until each kind of resource has a change that is not a baseline, except for past days of coins, and every
   * attribute except these was observed.
   */
  void awaitNews(Set<String> neverObserved) {
    waiting().pollInterval(WHOLE_LOG_INTERVAL).untilAsserted(() -> {
      EventLog eventLog = eventLog();
      assertThat(unchanged(eventLog)).as("kinds that did not change").isEmpty();
      assertThat(neverObserved).as("attributes not observed")
          .containsAll(new InterfaceCoverage(eventLog).attributesNeverObserved());
    });
  }

  /** Returns the kinds of resources of which an event log has only baselines. */
  private Set<String> unchanged(EventLog eventLog) {
    var unchanged = new TreeSet<>(topics.resources().stream().map(each -> each.resource()).toList());
    unchanged.remove("coin-day");
    topics.resources().forEach(each -> eventLog.in(each.changes())
        .map(entry -> new RecordedChange(each.resource(), entry))
        .filter(change -> !change.origin().getBaseline())
        .forEach(change -> unchanged.remove(change.resource())));
    return unchanged;
  }

  private static boolean isDay(String target) {
    return target.contains("/history");
  }

  private ConditionFactory waiting() {
    return Awaitility.await().atMost(WAIT).pollInterval(Duration.ofSeconds(1))
        .ignoreExceptionsMatching(failure -> failure instanceof KafkaException)
        .failFast(program::assertAtWork);
  }

  void stop() {
    program.stop();
  }

  void kill() {
    program.kill();
  }

  void startAgain() {
    program = start();
  }

  EventLog eventLog() {
    return EventLogReader.all(kafka, registry, topics);
  }

  /** Audits the cluster and checks the event log; if that fails, writes it to the folder target. */
  EventLog check(boolean everything) {
    EventLog eventLog = eventLog();
    EventLogFile.holds(eventLog, () -> {
      ClusterAudit.holds(kafka, registry, topics);
      EventLogCheck.holds(eventLog, market.bodies(), everything);
    });
    return eventLog;
  }

  @Override
  public void close() {
    program.close();
    market.close();
  }
}
