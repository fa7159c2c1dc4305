package io.tidemark.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.tidemark.event.GlobalChange;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.TopicSetup;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.embedded.SharedBroker;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an audit reads from a real cluster. */
class KafkaClusterReaderIT {

  final Topics topics = new Topics(SharedBroker.freshPrefix(), Retention.DEFAULT);
  final Topic<GlobalChange> topic = topics.global().changes();
  final BuiltInRegistry registry = new BuiltInRegistry(topics.all());
  final Map<String, Object> client = Map.of("bootstrap.servers", SharedBroker.bootstrapServers());

  @BeforeEach
  void makeTopic() {
    try (var admin = Admin.create(client)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(List.of(topic));
    }
  }

  @Test
  void unreadableValues_haveAReason() throws Exception {
    try (var producer = producer(); var reader = reader()) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, topic.serde(registry).encode(topic.name(), GlobalChange.newBuilder().build()));
      send(producer, "no Avro".getBytes(UTF_8));
      send(producer, ByteBuffer.allocate(9).put((byte) 0).putInt(4711).array());
      producer.commitTransaction();

      var records = new ArrayList<CommittedRecord>();
      reader.read(reader.range(topic, 0), records::add);

      assertThat(records).extracting(record -> record.unreadable() == null).containsExactly(true, false, false);
      assertThat(records.get(1).unreadable().detail()).contains("another program writes to it");
      assertThat(records.get(2).unreadable().detail()).contains("schema id 4711");
    }
  }

  @Test
  void openTransaction_isListedWithItsProducerAndNotRead() throws Exception {
    try (var producer = producer(); var reader = reader()) {
      producer.initTransactions();
      producer.beginTransaction();
      send(producer, topic.serde(registry).encode(topic.name(), GlobalChange.newBuilder().build()));
      producer.flush();

      assertThat(reader.openTransactions(topic)).singleElement().satisfies(open -> {
        assertThat(open.offset()).isZero();
        assertThat(open.producer()).contains(topics.prefix() + "main");
      });
      producer.abortTransaction();

      var records = new ArrayList<CommittedRecord>();
      reader.read(reader.range(topic, 0), records::add);
      assertThat(records).isEmpty();
      assertThat(reader.openTransactions(topic)).isEmpty();
    }
  }

  @Test
  void missingTopic_hasNoPartitions() {
    try (var reader = reader()) {
      assertThat(reader.partitions(topic.name())).isEqualTo(1);
      assertThat(reader.partitions(topics.global().state().name())).isZero();
    }
  }

  /** The audit blamed Kafka: it asked all topics for the partitions that one had. */
  @Test
  void topicWithAddedPartitions_isNamedByTheAudit() throws Exception {
    try (var admin = Admin.create(client)) {
      new TopicSetup(admin, new TopicLayout(1, (short) 1)).ensure(topics.all());
      admin.createPartitions(Map.of(topic.name(), NewPartitions.increaseTo(3))).all().get();
      await().until(() -> new TopicSetup(admin, TopicLayout.DEFAULT).partitions(topic) == 3);
    }
    try (var reader = reader()) {
      var audit = new Audit(topics, reader, InstantSource.system());

      assertThatThrownBy(() -> audit.run(new AuditReport(1), (done, total) -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("topic " + topic.name() + " has 3 partitions, the other topics of the source have 1");
    }
  }

  @Test
  void missingTopic_isNamedByTheAudit() {
    try (var reader = reader()) {
      var audit = new Audit(topics, reader, InstantSource.system());

      assertThatThrownBy(() -> audit.run(new AuditReport(1), (done, total) -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageStartingWith("topic " + topics.prefix()).hasMessageContaining("does not exist; check the prefix");
    }
  }

  private KafkaClusterReader reader() {
    return new KafkaClusterReader(client, registry, topics.all());
  }

  private KafkaProducer<String, byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", SharedBroker.bootstrapServers(), "transactional.id", topics.prefix() + "main"),
        new StringSerializer(), new ByteArraySerializer());
  }

  private void send(KafkaProducer<String, byte[]> producer, byte[] value) throws Exception {
    producer.send(new ProducerRecord<>(topic.name(), "global", value)).get();
  }
}
