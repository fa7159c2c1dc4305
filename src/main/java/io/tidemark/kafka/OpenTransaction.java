package io.tidemark.kafka;

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
 * A transaction that has written to a partition and is neither committed nor aborted. Consumers of committed records
 * cannot read the first record of the transaction, nor any later record of the partition, even of other producers.
 *
 * @param offset offset of the transaction's first record in the partition
 * @param newest time of the transaction's newest record in the partition
 * @param transactionalId transactional id of the producer; null if no coordinator knows the producer, as for a
 *     hanging transaction, or if the admin client's user may not list transactions
 */
public record OpenTransaction(
    String topic, int partition, long offset, Instant newest, long producerId, int producerEpoch,
    @Nullable String transactionalId) {

  /** Reads the open transactions on the given partitions, in the order of these partitions. Blocks. */
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

  /** Returns a description of the producer in the terms that Kafka's own tools use. */
  public String producer() {
    return "producer %d, epoch %d, %s".formatted(
        producerId, producerEpoch,
        transactionalId == null ? "transactional id unknown" : "transactional id " + transactionalId);
  }

  /** Returns the command line that aborts this transaction with Kafka's own tools. */
  public String abortCommand(Object bootstrapServers) {
    return "kafka-transactions.sh --bootstrap-server %s abort --topic %s --partition %d --start-offset %d"
        .formatted(bootstrapServers, topic, partition, offset);
  }

  /** Returns a description of the transaction: its position, a time at which it was already open, and its producer. */
  @Override
  public String toString() {
    return "topic %s, partition %d, from offset %d: open since %s or before (%s)"
        .formatted(topic, partition, offset, newest, producer());
  }
}
