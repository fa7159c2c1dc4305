package io.tidemark.eventlog;

import io.tidemark.kafka.embedded.KafkaAccess;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AbortTransactionSpec;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A producer that is not part of the program and writes to the topics of a source, also in open transactions. */
final class ForeignProducer {
  /** The header of all its records, by which the check tells them from those of the program. */
  static final String MARK = "written-by-a-fault";

  private static final RecordsToDelete END = RecordsToDelete.beforeOffset(-1);

  private final KafkaAccess kafka;

  ForeignProducer(KafkaAccess kafka) {
    this.kafka = kafka;
  }

  /** @param timestamp null for the present time */
  void send(TopicPartition partition, @Nullable Long timestamp, byte @Nullable [] key, byte @Nullable [] value) {
    try (var producer = new KafkaProducer<>(kafka.client(), new ByteArraySerializer(), new ByteArraySerializer())) {
      await(() -> producer.send(record(partition, timestamp, key, value)).get());
    }
  }

  /** Sends one record in a transaction that is aborted. */
  void abort(TopicPartition partition, byte[] key, byte[] value) {
    try (var producer = transactional()) {
      producer.beginTransaction();
      await(() -> producer.send(record(partition, null, key, value)).get());
      producer.abortTransaction();
    }
  }

  /** Sends one record in a transaction that stays open after its producer is closed. */
  void hang(TopicPartition partition, byte[] key, byte[] value) {
    var producer = transactional();
    try {
      producer.beginTransaction();
      await(() -> producer.send(record(partition, null, key, value)).get());
    } finally {
      producer.close(Duration.ZERO);
    }
  }

  /** Aborts all open transactions of a partition, as an operator does with {@code kafka-transactions abort}. */
  void abortAll(TopicPartition partition) {
    try (var admin = Admin.create(kafka.client())) {
      var producers = await(() -> admin.describeProducers(List.of(partition)).partitionResult(partition).get());
      for (ProducerState each : producers.activeProducers()) {
        var start = each.currentTransactionStartOffset();
        if (start.isPresent()) {
          var transaction = new AbortTransactionSpec(partition, each.producerId(), (short) each.producerEpoch(),
              each.coordinatorEpoch().orElse(0));
          await(() -> admin.abortTransaction(transaction).all().get());
        }
      }
    }
  }

  void deleteTopic(String topic) {
    try (var admin = Admin.create(kafka.client())) {
      await(() -> admin.deleteTopics(List.of(topic)).all().get());
    }
  }

  /** Deletes all records of a compacted topic, which a broker allows only under another cleanup policy. */
  void emptyTopic(String topic) {
    try (var admin = Admin.create(kafka.client())) {
      setPolicy(admin, topic, "delete");
      var partitions =
          await(() -> admin.describeTopics(List.of(topic)).topicNameValues().get(topic).get()).partitions();
      var everything = partitions.stream()
          .collect(Collectors.toMap(each -> new TopicPartition(topic, each.partition()), each -> END));
      Awaitility.await().until(() -> isDeleted(admin, everything));
      setPolicy(admin, topic, "compact");
    }
  }

  /** Returns whether the broker deleted them; it refuses until it knows the changed policy. */
  private static boolean isDeleted(Admin admin, Map<TopicPartition, RecordsToDelete> records) {
    try {
      await(() -> admin.deleteRecords(records).all().get());
      return true;
    } catch (AssertionError e) {
      if (e.getCause() instanceof PolicyViolationException) {
        return false;
      }
      throw e;
    }
  }

  private static void setPolicy(Admin admin, String topic, String policy) {
    var change = new AlterConfigOp(new ConfigEntry("cleanup.policy", policy), AlterConfigOp.OpType.SET);
    await(() -> admin
        .incrementalAlterConfigs(Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(change)))
        .all().get());
  }

  private KafkaProducer<byte[], byte[]> transactional() {
    var properties = kafka.client();
    properties.put("transactional.id", "foreign-" + UUID.randomUUID());
    properties.put("transaction.timeout.ms", "900000");
    var producer = new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    producer.initTransactions();
    return producer;
  }

  private static ProducerRecord<byte[], byte[]> record(
      TopicPartition partition, @Nullable Long timestamp, byte @Nullable [] key, byte @Nullable [] value) {
    var record = new ProducerRecord<>(partition.topic(), partition.partition(), timestamp, key, value);
    record.headers().add(new RecordHeader(MARK, new byte[0]));
    return record;
  }

  private interface Call<T> {
    T run() throws InterruptedException, ExecutionException;
  }

  private static <T> T await(Call<T> call) {
    try {
      return call.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }
}
