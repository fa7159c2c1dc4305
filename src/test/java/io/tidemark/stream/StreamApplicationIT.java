package io.tidemark.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.event.Alert;
import io.tidemark.event.Candle;
import io.tidemark.event.DerivativesExchangeChange;
import io.tidemark.event.DerivativesExchangeDescription;
import io.tidemark.event.DerivativesExchangeDescriptionChange;
import io.tidemark.event.Origin;
import io.tidemark.event.PoolChange;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.BadRecord;
import io.tidemark.kafka.CandleInterval;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.embedded.EndToEndKafka;
import io.tidemark.kafka.embedded.SharedBroker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The application on a real Kafka. Each round is a minute in which every pool has one change. */
@Execution(ExecutionMode.CONCURRENT)
class StreamApplicationIT {

  static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
  static final int POOLS = 20;
  static final Duration TIMEOUT = Duration.ofMinutes(4);

  /** The records of a task that a second instance may still lack when it takes the task. */
  static final int ACCEPTABLE_LAG = 100;

  /** Between two looks, each of which reads topics from their beginning. */
  static final Duration POLL_INTERVAL = Duration.ofMillis(500);

  /** Prices are above 1.5 from round 3 on. */
  static final String RULES = """
      rules:
        - name: new
          on: pool.changes
          after: appeared.kind == "created"
          within: 60m
          when: price.base_token_price_usd >= 1.2
          annotations: { summary: "new pool" }
        - name: dear
          on: pool.changes
          kind: condition
          when: price.base_token_price_usd > 1.5
          for: 30s
          annotations: { summary: "dear" }
      """;

  @TempDir
  Path state;

  @TempDir
  Path otherState;

  private TestCluster cluster = new TestCluster(EndToEndKafka.access(), EndToEndKafka.freshPrefix());

  @BeforeEach
  void rules() {
    cluster.rules(NOON.minusSeconds(1), RULES);
  }

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void changesAndTicks_becomeCandlesAndAlerts() {
    try (var app = cluster.start(state)) {
      IntStream.rangeClosed(0, 3).forEach(this::round);

      awaitCandles(4);
      awaiting().untilAsserted(() -> assertThat(alerts()).hasSize(3 * POOLS));
      assertThat(app.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
    assertEachOnce(4);
  }

  @Test
  void recordsOfEachTopicThatItWrites_areCompressed() {
    cluster.close();
    cluster = new TestCluster(SharedBroker.access(), SharedBroker.freshPrefix()); // without TLS, for raw requests
    rules();
    var withoutPurge = Map.of(StreamsConfig.REPARTITION_PURGE_INTERVAL_MS_CONFIG, "3600000");
    try (var app = cluster.start(state, withoutPurge)) {
      IntStream.rangeClosed(0, 3).forEach(this::round);
      awaiting().untilAsserted(() -> assertThat(cluster.compressionOfWritten().keySet()).contains("alerts",
          "alerts.state", "pool.candles.1m", "movers", "stream-aggregates-repartition", "stream-resources-changelog",
          "stream-alerts-memory-changelog"));
      assertThat(app.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }

    assertThat(cluster.compressionOfWritten().values()).containsOnly(Set.of(CompressionType.LZ4));
  }

  @Test
  void restartedApplication_doublesNothing() {
    try (var app = cluster.start(state)) {
      round(0);
      awaitCandles(1);
      assertThat(app.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
    round(1);
    try (var again = cluster.start(state)) {
      round(2);
      awaitCandles(3);
      assertThat(again.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }

    assertEachOnce(3);
  }

  @Test
  void applicationThatLostItsDisk_goesOnFromKafka() {
    try (var app = cluster.start(state)) {
      round(0);
      awaitCandles(1);
      assertThat(app.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }
    try (var elsewhere = cluster.start(otherState)) {
      round(1);
      awaitCandles(2);
      assertThat(elsewhere.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }

    assertEachOnce(2);
  }

  @Test
  void killedApplication_isContinuedWithoutDoubling() throws IOException, InterruptedException {
    var process = StreamProcess.start(cluster, state);
    round(0);
    awaitCandles(1);
    IntStream.rangeClosed(1, 10).forEach(this::round);
    process.destroyForcibly().waitFor();

    try (var app = cluster.start(state)) {
      round(11);
      awaitCandles(12);
      assertThat(app.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
    }

    assertEachOnce(12);
  }

  /** After a pause, the ticks of minutes may be read before the changes that they cover. */
  @Test
  void pausedApplication_readsTicksBehindWhatTheyCover() throws IOException, InterruptedException {
    var process = StreamProcess.start(cluster, state);
    try {
      round(0);
      awaitCandles(1);
      signal("STOP", process);
      IntStream.rangeClosed(1, 12).forEach(this::round);
      signal("CONT", process);
      awaitCandles(13);
    } finally {
      process.destroyForcibly().waitFor();
    }

    assertEachOnce(13);
  }

  @Test
  void killedApplication_isTakenOverByItsStandby() throws IOException, InterruptedException {
    var process = StreamProcess.start(cluster, state);
    try {
      round(0);
      awaitCandles(1);
      try (var app = cluster.start(otherState)) {
        await().atMost(TIMEOUT).until(() -> isStandby(app) && hasAllStores(app));
        IntStream.rangeClosed(1, 3).forEach(this::round);
        awaitCandles(4);
        await().atMost(TIMEOUT).until(() -> isStandby(app) && hasAllStores(app));
        var restoredBefore = app.restoredRecords();
        process.destroyForcibly().waitFor();
        IntStream.rangeClosed(4, 5).forEach(this::round);
        awaitCandles(6);
        var restored = app.restoredRecords() - restoredBefore;
        System.out.printf("a standby restored %d records, of %d in all changelogs%n", restored, changelogRecords());
        assertThat(restored).isLessThan(changelogRecords() / 10);
      }
    } finally {
      process.destroyForcibly();
    }

    assertEachOnce(6);
  }

  /** With stores as if they were large: the lag that is acceptable is hardly more than the markers of transactions. */
  @Test
  void secondInstance_takesItsShareInMinutes_onceItHasTheStores() {
    var large = Map.of(StreamsConfig.ACCEPTABLE_RECOVERY_LAG_CONFIG, Integer.toString(ACCEPTABLE_LAG));
    try (var first = cluster.start(state, large)) {
      IntStream.rangeClosed(0, 5).forEach(this::round);
      awaitCandles(6);
      var joinedAt = System.nanoTime();
      try (var second = cluster.start(otherState, large)) {
        await().atMost(TIMEOUT).until(() -> active(second) > 0 && active(second) >= active(first) - 1);
        System.out.printf(
            "the second instance has %d of %d tasks after %.1f s; restored while they stood still: %d of %d%n",
            active(second), active(first) + active(second), (System.nanoTime() - joinedAt) / 1e9,
            second.restoredRecords(), changelogRecords());
        IntStream.rangeClosed(6, 8).forEach(this::round);
        awaitCandles(9);
        assertThat(second.restoredRecords())
            .isLessThan(Math.max(changelogRecords() / 10, ACCEPTABLE_LAG * active(second)));
      }
    }

    assertEachOnce(9);
  }

  private static void signal(String name, Process process) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor()).isZero();
  }

  private static long active(StreamApplication app) {
    return app.kafka().metadataForLocalThreads().stream().mapToLong(thread -> thread.activeTasks().size()).sum();
  }

  /** Offsets that the changelogs of all stores span. */
  private long changelogRecords() {
    try (var admin = Admin.create(cluster.kafka.client())) {
      var changelogs = admin.listTopics().names().get().stream()
          .filter(name -> name.startsWith(cluster.topics.prefix()) && name.endsWith("-changelog"))
          .flatMap(name -> IntStream.range(0, TestCluster.PARTITIONS).mapToObj(n -> new TopicPartition(name, n)))
          .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
      return admin.listOffsets(changelogs).all().get().values().stream().mapToLong(end -> end.offset()).sum();
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean isStandby(StreamApplication app) {
    return app.kafka().metadataForLocalThreads().stream().anyMatch(thread -> !thread.standbyTasks().isEmpty());
  }

  /** Whether all stores are up to date, its own and the standby replicas of another instance. */
  private static boolean hasAllStores(StreamApplication app) {
    var stores = app.kafka().allLocalStorePartitionLags().values();
    return !stores.isEmpty()
        && stores.stream().allMatch(partitions -> partitions.size() == TestCluster.PARTITIONS)
        && stores.stream()
            .flatMap(partitions -> partitions.values().stream())
            .allMatch(lag -> lag.offsetLag() <= 1); // a transaction marker is no record
  }

  /** A description of 600 KB ended the application before: its store had it twice in one entry. */
  @Test
  void recordsThatCannotBeUsed_areQuarantinedAndTheRestGoesOn() {
    var changes = cluster.topics.pool().changes();
    var bad = Stream.of(BadRecord.values()).filter(each -> each != BadRecord.HUGE_VALUE).toList(); // no topic takes it
    try (var app = cluster.start(state)) {
      round(0);
      bad.forEach(each -> write(changes, each.key(), each.value(changes)));
      write("binance", 600 << 10);
      write("deribit", RecordLimits.VALUE + (4 << 10));
      round(1);

      awaitCandles(2);
      assertThat(app.kafka().state()).isEqualTo(KafkaStreams.State.RUNNING);
      var reasons = Stream.concat(bad.stream().map(each -> each.reasonIn(changes).wire()), Stream.of("too_large"));
      awaiting().untilAsserted(() -> assertThat(cluster.committed(cluster.topics.deadLetters()))
          .extracting(letter -> letter.getRecord().getReason())
          .containsExactlyInAnyOrderElementsOf(reasons.toList()));
    }
    assertEachOnce(2);
  }

  /** A change of an exchange with a description of so many characters. */
  private void write(String exchange, int length) {
    var description = DerivativesExchangeDescription.newBuilder().setDescription("d".repeat(length)).build();
    var change = DerivativesExchangeChange.newBuilder().setId(exchange).setGeneration(NOON)
        .setOrigin(Origin.newBuilder().setObservedAt(NOON).build())
        .setDescription(new DerivativesExchangeDescriptionChange(null, description, null))
        .build();
    var topic = cluster.topics.resource("derivatives-exchange").changes();
    write(topic, exchange.getBytes(StandardCharsets.UTF_8),
        new AvroSerde<>(DerivativesExchangeChange.class, cluster.registry).encode(topic.name(), change));
  }

  /** Pools are created in round 0; their prices rise by a fifth of the first each round. */
  private void round(int round) {
    var minute = NOON.plus(Duration.ofMinutes(round));
    var changes = IntStream.range(0, POOLS).mapToObj(pool -> change("solana_" + pool, minute, round)).toList();
    cluster.ticks(minute.plusSeconds(7), minute.plusSeconds(34));
    cluster.snapshot(changes, minute.plusSeconds(35));
    cluster.ticks(minute.plusSeconds(36), minute.plusSeconds(66)); // a window waits 5 s, and a tick
  }

  private static PoolChange change(String pool, Instant minute, int round) {
    var before = round == 0 ? null : price(round - 1);
    var change = PoolChanges.moved(minute.plusSeconds(30), before, price(round));
    if (round == 0) {
      change.setAppeared(PoolChanges.created(minute, Duration.ofMinutes(1), 0.0).getAppeared());
    }
    change.setId(pool);
    return change;
  }

  private static String price(int round) {
    return Double.toString(1 + round / 5.0);
  }

  private static ConditionFactory awaiting() {
    return await().atMost(TIMEOUT).pollInterval(POLL_INTERVAL);
  }

  private void awaitCandles(int rounds) {
    awaiting().untilAsserted(() -> assertThat(candles()).hasSizeGreaterThanOrEqualTo(rounds * POOLS));
  }

  private List<Candle> candles() {
    return cluster.committed(cluster.topics.candles(cluster.topics.pool(), CandleInterval.MINUTE));
  }

  private List<Alert> alerts() {
    return cluster.committed(cluster.topics.alerts());
  }

  /** One candle for each pool and round, from the price before to the one of the round; each alert once. */
  private void assertEachOnce(int rounds) {
    var expected = IntStream.range(0, rounds).boxed()
        .flatMap(round -> IntStream.range(0, POOLS).mapToObj(pool -> "solana_%d %s %s-%s".formatted(
            pool, NOON.plus(Duration.ofMinutes(round)), price(Math.max(0, round - 1)), price(round))))
        .toList();
    assertThat(candles()).extracting(candle -> "%s %s %s-%s".formatted(
        candle.getId(), candle.getStart(), candle.getOpenText(), candle.getCloseText()))
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(alerts()).extracting(StreamApplicationIT::texts).containsExactlyInAnyOrderElementsOf(
        texts(rounds).flatMap(text -> IntStream.range(0, POOLS).mapToObj(pool -> text + " solana_" + pool)).toList());
  }

  /** The alerts of every pool by the end of so many rounds. */
  private static Stream<String> texts(int rounds) {
    return Stream.of(
        Map.entry(1, "new fired 90"), Map.entry(3, "dear pending 210"), Map.entry(3, "dear firing 240"))
        .filter(text -> text.getKey() < rounds)
        .map(Map.Entry::getValue);
  }

  private static String texts(Alert alert) {
    var second = Duration.between(NOON, alert.getEventTime()).toSeconds();
    return "%s %s %d %s".formatted(alert.getRule(), alert.getStatus(), second, alert.getSubject());
  }

  private void write(Topic<?> topic, byte[] key, byte[] value) {
    var config = cluster.kafka.client();
    config.put("max.request.size", RecordLimits.REQUEST);
    try (var producer = new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(topic.name(), null, NOON.plusSeconds(40).toEpochMilli(), key, value));
    }
  }
}
