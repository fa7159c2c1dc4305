package io.tidemark.topic;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on a partition that is neither committed nor aborted. Consumers of committed records do not get past it.
 *
 * @param offset of its first record in the partition
 * @param newest time of its newest record there
 * @param transactionalId null where no coordinator knows the producer, as of a hanging transaction, or where this user may
 *     not see it
 */
public record OpenTransaction(
    String topic, int partition, long offset, Instant newest, long producerId, int producerEpoch,
    @Nullable String transactionalId) {

  /** Reads which transactions are open on partitions, in the order of these. Blocks. */
  public static List<OpenTransaction> read(Admin admin, Collection<TopicPartition> partitions) {
    var open = new ArrayList<OpenTransaction>();
    var described = admin.describeProducers(partitions);
    for (var partition : partitions) {
      for (var producer : AdminCalls.await(described.partitionResult(partition)).activeProducers()) {
        producer.currentTransactionStartOffset().ifPresent(offset -> open.add(new OpenTransaction(
            partition.topic(), partition.partition(), offset, Instant.ofEpochMilli(producer.lastTimestamp()),
            producer.producerId(), producer.producerEpoch(), transactionalId(admin, producer))));
      }
    }
    return open;
  }

  private static @Nullable String transactionalId(Admin admin, ProducerState producer) {
    var byProducer = new ListTransactionsOptions().filterProducerIds(List.of(producer.producerId()));
    var listed = AdminCalls.awaitUnless(AuthorizationException.class, admin.listTransactions(byProducer).all());
    return listed == null
        ? null
        : listed.stream().map(TransactionListing::transactionalId).findFirst().orElse(null);
  }

  /** As Kafka's own tools name it. */
  public String producer() {
    return "producer %d, epoch %d, %s".formatted(
        producerId, producerEpoch,
        transactionalId == null ? "of no coordinator" : "transactional id " + transactionalId);
  }

  /** The command line that aborts it, of Kafka's own tools. */
  public String abortCommand(Object bootstrapServers) {
    return "kafka-transactions.sh --bootstrap-server %s abort --topic %s --partition %d --start-offset %d"
        .formatted(bootstrapServers, topic, partition, offset);
  }

  /** Where it is, since when, and of whom. */
  @Override
  public String toString() {
    return "topic %s, partition %d, from offset %d: open since %s or before (%s)"
        .formatted(topic, partition, offset, newest, producer());
  }
}
