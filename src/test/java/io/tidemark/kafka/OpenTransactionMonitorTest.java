package io.tidemark.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kafka.embedded.SharedBroker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpenTransactionMonitorTest {

  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final String POOLS = "t.pool.state";
  static final TopicPartition FIRST = new TopicPartition(POOLS, 0);
  static final TopicPartition SECOND = new TopicPartition(POOLS, 1);
  static final List<TopicPartition> BOTH = List.of(FIRST, SECOND);

  Instant now = Instant.EPOCH;
  final OpenTransactionMonitor monitor =
      new OpenTransactionMonitor(TOPICS, Admin.create(Map.of("bootstrap.servers", "127.0.0.1:1")), () -> now);

  @AfterEach
  void close() {
    monitor.close();
  }

  @Test
  void allCommitted_isNotBlocked() {
    monitor.update(BOTH, Map.of(FIRST, 7L), Map.of(FIRST, 7L));

    assertThat(monitor.blockedFor(POOLS)).isZero();
    assertThat(monitor.blockedRecords(POOLS)).isZero();
  }

  /** The end is read first, so what is committed may be beyond it. */
  @Test
  void stableOffsetBeyondTheEnd_isNotBlocked() {
    monitor.update(BOTH, Map.of(FIRST, 9L), Map.of(FIRST, 7L));

    assertThat(monitor.blockedFor(POOLS)).isZero();
  }

  @Test
  void stableOffsetThatStandsStill_isBlockedSinceItWasFirstSeen() {
    monitor.update(BOTH, Map.of(FIRST, 5L, SECOND, 1L), Map.of(FIRST, 7L, SECOND, 1L));
    now = now.plusSeconds(90);
    monitor.update(BOTH, Map.of(FIRST, 5L, SECOND, 3L), Map.of(FIRST, 20L, SECOND, 4L));
    now = now.plusSeconds(600); // Kafka does not answer

    assertThat(monitor.blockedFor(POOLS)).isEqualTo(Duration.ofSeconds(90));
    assertThat(monitor.blockedRecords(POOLS)).isEqualTo(15 + 1);
    assertThat(monitor.blockedFor("t.token.state")).isZero();
  }

  @Test
  void partitionThatDoesNotAnswer_staysAsItWas_untilItAnswers() {
    monitor.update(BOTH, Map.of(FIRST, 5L, SECOND, 1L), Map.of(FIRST, 7L, SECOND, 1L));
    now = now.plusSeconds(30);
    monitor.update(BOTH, Map.of(FIRST, 5L, SECOND, 1L), Map.of(FIRST, 7L, SECOND, 1L));
    now = now.plusSeconds(600);
    monitor.update(BOTH, Map.of(SECOND, 1L), Map.of(FIRST, 9L, SECOND, 1L));

    assertThat(monitor.blockedFor(POOLS)).isEqualTo(Duration.ofSeconds(30));
    assertThat(monitor.blockedRecords(POOLS)).isEqualTo(2);

    monitor.update(BOTH, Map.of(FIRST, 5L, SECOND, 1L), Map.of(FIRST, 7L, SECOND, 1L));
    assertThat(monitor.blockedFor(POOLS)).isEqualTo(Duration.ofSeconds(630));

    monitor.update(List.of(SECOND), Map.of(SECOND, 1L), Map.of(SECOND, 1L));
    assertThat(monitor.blockedFor(POOLS)).as("after the deletion of the partition").isZero();
  }

  @Test
  void partitionWithoutLeader_hidesNoTransactionOnAnother() throws Exception {
    var topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
    var topic = topics.watch();
    var servers = SharedBroker.bootstrapServers();
    try (var admin = Admin.create(Map.of("bootstrap.servers", servers));
        var producer = new KafkaProducer<>(Map.of("bootstrap.servers", servers, "transactional.id", topic.name()),
            new ByteArraySerializer(), new ByteArraySerializer());
        var reader = new OpenTransactionMonitor(
            topics, new LeaderlessAdmin(servers, partition -> partition.partition() == 0), () -> now)) {
      new TopicSetup(admin, new TopicLayout(2, (short) 1)).ensure(List.of(topic));
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(topic.name(), 1, new byte[0], new byte[0])).get();

      reader.read();
      now = now.plusSeconds(90);
      reader.read();

      assertThat(reader.blockedRecords(topic.name())).isEqualTo(1);
      assertThat(reader.blockedFor(topic.name())).isEqualTo(Duration.ofSeconds(90));
      assertThat(reader.problem()).contains("topic " + topic.name() + ", partition 1, from offset 0");
      producer.abortTransaction();
    }
  }

  /** One transaction after the other is open whenever somebody looks. */
  @Test
  void stableOffsetThatMoves_isNotBlockedForLong() {
    for (long offset = 0; offset < 10; offset++) {
      monitor.update(BOTH, Map.of(FIRST, offset), Map.of(FIRST, offset + 2));
      now = now.plusSeconds(10);
    }

    assertThat(monitor.blockedFor(POOLS)).isZero();
  }

  @Test
  void internalTopicOfTheStreams_hasNoNameOfItsOwn() {
    var partition = new TopicPartition("t.stream-groups-repartition", 0);
    monitor.update(List.of(partition), Map.of(partition, 1L), Map.of(partition, 3L));

    assertThat(monitor.blockedRecords(OpenTransactionMonitor.INTERNAL)).isEqualTo(2);
    assertThat(monitor.blockedRecords(POOLS)).isZero();
  }
}
