package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.event.Alert;
import io.tidemark.event.Movers;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.AggregateTopics;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.ClusterTopics;
import io.tidemark.kafka.SchemaTopic;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.rule.file.RuleDocument;
import io.tidemark.rule.file.RuleFormat;
import io.tidemark.rule.file.RuleSetReader;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.streams.KafkaStreams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backtest over a day made short: a minute an hour, prices going up and down, rules replaced at noon. */
class BacktestIT {

  static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");
  static final int MINUTES = 24;
  static final Instant NOON = MIDNIGHT.plus(Duration.ofMinutes(MINUTES / 2));
  static final Instant END = MIDNIGHT.plus(Duration.ofMinutes(MINUTES));
  static final int POOLS = 12;
  static final Duration TIMEOUT = Duration.ofMinutes(4);

  static final String RULES = """
      rules:
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > %s
          for: 40s
          keep_firing_for: 20s
          annotations: { summary: "{{ price.base_token_price_usd }}" }
        - name: fall
          on: pool.changes
          when: changed.price && moved(price.base_token_price_usd, "3m") < -10.0
          cooldown: 4m
          labels: { network: "{{ network }}" }
          annotations: { summary: "{{ moved(price.base_token_price_usd, '3m') | change }}" }
        - name: many-fell
          on: alerts
          when: rule == "fall"
          once: [labels.network]
          times: 4
          within: 2m
          annotations: { summary: "the last: {{ subject }}" }
        - name: wide
          on: pool.candles.1m
          when: high > 1.25 * low
          annotations: { summary: "{{ low }} to {{ high }}" }
      """;

  @TempDir
  Path live;

  @TempDir
  Path backtest;

  private final TestCluster cluster = new TestCluster(SharedBroker.access(), SharedBroker.freshPrefix());

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void backtest_givesExactlyTheAlertsThatLiveGave() {
    cluster.rules(MIDNIGHT.minusSeconds(1), RULES.formatted("1.5"));
    record();
    var expected = live();

    assertThat(backtest(MIDNIGHT.minusSeconds(1), END.plusSeconds(60), null)).isEqualTo(expected);
    assertThat(expected).hasSizeGreaterThan(50)
        .anyMatch(alert -> alert.contains("dear v1 firing"))
        .anyMatch(alert -> alert.contains("dear v2 firing"))
        .anyMatch(alert -> alert.contains("wide v1 fired"))
        .anyMatch(alert -> alert.contains("fall v1 fired"))
        .anyMatch(alert -> alert.contains("many-fell v1 fired"));
    // the broker answers that topics are deleted before its list lacks them
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(topics()).noneMatch(name -> name.contains("trial")));
  }

  @Test
  void backtestOfOtherRules_givesWhatTheyWouldHaveGiven() {
    cluster.rules(MIDNIGHT.minusSeconds(1), "rules: []");
    record();
    var rules = RuleSetReader.read(
        List.of(new RuleDocument("mine.yaml", RULES.formatted("9.9"))), cluster.topics.ruleSchemas(), List.of());

    var alerts = backtest(NOON, END, RuleFormat.write(rules));

    assertThat(alerts).isNotEmpty()
        .anyMatch(alert -> alert.contains("fall v0"))
        .noneMatch(alert -> alert.contains("dear"))
        .allMatch(alert -> alert.compareTo(NOON.minusSeconds(10).toString()) >= 0);
  }

  @Test
  void conditionThatAMuteCoversForAWhile_firesOnce() {
    cluster.rules(MIDNIGHT.minusSeconds(1), "rules: []");
    record();
    var mutes = """
        mutes:
          - name: tea
            rules: [dear]
            days: [mon, tue, wed, thu, fri, sat, sun]
            from: "00:14"
            to: "00:18"
            zone: UTC
        """;
    var rules = RuleSetReader.read(
        List.of(new RuleDocument("mine.yaml", RULES.formatted("1.3") + mutes)), cluster.topics.ruleSchemas(),
        List.of());

    var alerts = backtest(MIDNIGHT.minusSeconds(1), END, RuleFormat.write(rules));

    assertThat(alerts).filteredOn(alert -> alert.contains("dear v0 firing")).isNotEmpty()
        .extracting(alert -> alert.split(" ")[4]).doesNotHaveDuplicates();
  }

  private void record() {
    var random = new Random(3);
    var prices = new double[POOLS];
    IntStream.range(0, POOLS).forEach(pool -> prices[pool] = 1.0);
    for (var minute = 0; minute < MINUTES; minute++) {
      var start = MIDNIGHT.plus(Duration.ofMinutes(minute));
      if (start.equals(NOON)) {
        cluster.rules(start.plusMillis(500), RULES.formatted("1.3"));
      }
      for (var second = 10; second < 60; second += 25) {
        var at = start.plusSeconds(second);
        cluster.ticks(second == 10 ? start.plusSeconds(1) : at.minusSeconds(24), at);
        cluster.snapshot(changes(prices, at, random), at.plusMillis(400));
      }
      cluster.ticks(start.plusSeconds(36), start.plusSeconds(60));
    }
    cluster.ticks(END.plusSeconds(1), END.plusSeconds(20));
  }

  private static List<PoolChange> changes(double[] prices, Instant at, Random random) {
    var changes = new ArrayList<PoolChange>();
    for (var pool = 0; pool < POOLS; pool++) {
      var before = prices[pool];
      prices[pool] = before * (0.8 + 0.42 * random.nextDouble());
      var change = PoolChanges.moved(
          at.minusMillis(random.nextInt(3000)), Double.toString(before), at.minusSeconds(25),
          Double.toString(prices[pool]));
      change.setId("solana_" + pool);
      change.getAbout().setPriceUsd(prices[pool]); // which movers read
      changes.add(change);
    }
    return changes;
  }

  private List<String> live() {
    try (var app = cluster.start(live)) {
      await().atMost(TIMEOUT).pollInterval(Duration.ofMillis(500)).untilAsserted(() -> {
        assertThat(cluster.committed(cluster.topics.candles(cluster.topics.pool(), CandleInterval.MINUTE)))
            .hasSize(MINUTES * POOLS);
        assertThat(cluster.committed(AggregateTopics.aggregate(cluster.topics, Movers.class)))
            .anyMatch(movers -> movers.getAt().equals(END)); // the groups are as far
      });
      assertThat(app.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
    return texts(cluster.committed(cluster.topics.alerts()));
  }

  private List<String> backtest(Instant from, Instant to, String rules) {
    var settings = TestCluster.settings(cluster.kafka, backtest, Map.of());
    try (var run = new Backtest("test", cluster.topics, readOnly(), settings)) {
      return texts(run.alerts(from, to, rules, (done, total) -> {}));
    }
  }

  /** A registry that publishes no schema: without the topic of schemas, a backtest would wait for it. */
  private BuiltInRegistry readOnly() {
    var registry = new BuiltInRegistry(cluster.topics.all());
    registry.lookUpIn(new SchemaTopic(ClusterTopics.UNPREFIXED, () -> {
      throw new AssertionError("a backtest accesses the topic of schemas");
    }));
    return registry;
  }

  private static List<String> texts(List<Alert> alerts) {
    return alerts.stream()
        .map(alert -> "%s %s v%d %s %s %s %s".formatted(
            alert.getEventTime(), alert.getRule(), alert.getRuleVersion(), alert.getStatus(), alert.getId(),
            alert.getFingerprint(), alert.getSummary()))
        .sorted()
        .toList();
  }

  private static List<String> topics() {
    try (var admin = Admin.create(Map.of("bootstrap.servers", SharedBroker.bootstrapServers()))) {
      return List.copyOf(AdminCalls.await(admin.listTopics().names()));
    }
  }
}
