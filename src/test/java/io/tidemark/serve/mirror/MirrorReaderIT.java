package io.tidemark.serve.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.market.Query;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** A mirror over Kafka: what was committed before it started, and what is committed then. */
class MirrorReaderIT {
  static final Map<String, Object> CLIENT = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());
  static final Topics TOPICS = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  static final String TRENDING = "/networks/eth/trending_pools?duration=5m";
  static final Query.TrendingPools ASKED = (Query.TrendingPools) Endpoints.parseTarget(TRENDING);
  final Quarantine quarantine =
      new Quarantine("main", ReaderRole.MIRROR, MirrorReader.inputs(TOPICS), InstantSource.system());
  static final Duration TIMEOUT = Duration.ofMinutes(2);

  @Test
  void committedStates_areAnswered_thoseOfOpenTransactionsAreNot() throws Exception {
    createTopics();
    var simulator = new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
    try (var market = new MirroredMarket(simulator::at, NOW); var producer = producer()) {
      market.poll(TRENDING, 1);
      commit(producer, market.records);
      var first = MirroredMarket.body(ASKED, market.mirror());
      market.records.clear();

      var fails = new AtomicBoolean();
      try (var reader = new MirrorReader(quarantine, TOPICS, MirroredMarket.REGISTRY, CLIENT, target -> {
        if (fails.getAndSet(false)) {
          throw new AssertionError("a failure of reading");
        }
        return Endpoints.parseTarget(target);
      }, List.of(), day -> false, () -> NOW)) {
        await().atMost(TIMEOUT).until(reader::isCaughtUp);
        assertThat(reader.problem()).isNull();
        assertThat(MirroredMarket.body(ASKED, reader.mirror())).isEqualTo(first);

        market.now = NOW.plusSeconds(60);
        market.poll(TRENDING, 1);
        producer.beginTransaction();
        send(producer, market.records);
        producer.flush();
        assertThat(MirroredMarket.body(ASKED, reader.mirror())).isEqualTo(first);

        producer.commitTransaction();
        var second = MirroredMarket.body(ASKED, market.mirror());
        assertThat(second).isNotEqualTo(first);
        await().atMost(TIMEOUT).until(() -> MirroredMarket.body(ASKED, reader.mirror()).equals(second));
        await().atMost(TIMEOUT).until(() -> reader.lag() == 0);
        assertThat(reader.resources()).isEqualTo(market.store.size());

        producer.beginTransaction();
        var state = TOPICS.pool().state().name();
        producer.send(new ProducerRecord<>(state, 0, NOW.toEpochMilli(), "eth_0xa".getBytes(UTF_8), new byte[] {7}));
        producer.commitTransaction();
        await().atMost(TIMEOUT).until(() -> quarantine.count(state) == 1);
        assertThat(MirroredMarket.body(ASKED, reader.mirror())).isEqualTo(second);

        market.records.clear();
        market.now = NOW.plusSeconds(120);
        market.poll("/networks/eth/new_pools", 1);
        fails.set(true);
        commit(producer, market.records);
        await().atMost(TIMEOUT).until(() -> reader.lag() == -1);
        await().atMost(TIMEOUT).until(() -> reader.lag() == 0 && reader.resources() == market.store.size());
        assertThat(fails).isFalse();
        assertThat(MirroredMarket.body(ASKED, reader.mirror())).isEqualTo(second);
        assertThat(quarantine.count(state)).as("records that were applied are not read again").isEqualTo(1);
      }
    }
  }

  private static void createTopics() throws Exception {
    try (var admin = Admin.create(CLIENT)) {
      new TopicSetup(admin, new TopicLayout(3, (short) 1)).ensure(TOPICS.all());
    }
  }

  private static void commit(KafkaProducer<byte[], byte[]> producer, List<CommittedRecord> records) {
    producer.beginTransaction();
    send(producer, records);
    producer.commitTransaction();
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, List<CommittedRecord> records) {
    records.forEach(record -> {
      var name = record.topic().substring(MirroredMarket.TOPICS.prefix().length());
      producer.send(new ProducerRecord<>(TOPICS.prefix() + name, null, record.timestamp(),
          record.keyText().getBytes(UTF_8), bytes(TOPICS.byShortName(name), record.value())));
    });
  }

  private static <V extends SpecificRecord> byte[] bytes(Topic<V> topic, SpecificRecord value) {
    return topic.serde(MirroredMarket.REGISTRY).encode(topic.name(), topic.value().cast(value));
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    var producer = new KafkaProducer<>(
        Map.of("bootstrap.servers", SharedBroker.bootstrapServers(), "transactional.id", UUID.randomUUID().toString()),
        new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }
}
