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

/** Reads which transactions are open on partitions. Blocks; the admin client belongs to the caller. */
public record OpenTransactionReader(Admin admin) {

  /** The open transactions, in the order of the partitions. */
  public List<OpenTransaction> read(Collection<TopicPartition> partitions) {
    var open = new ArrayList<OpenTransaction>();
    var described = admin.describeProducers(partitions);
    for (var partition : partitions) {
      for (var producer : AdminCalls.await(described.partitionResult(partition)).activeProducers()) {
        producer.currentTransactionStartOffset().ifPresent(offset -> open.add(new OpenTransaction(
            partition.topic(), partition.partition(), offset, Instant.ofEpochMilli(producer.lastTimestamp()),
            producer.producerId(), producer.producerEpoch(), transactionalId(producer))));
      }
    }
    return open;
  }

  private @Nullable String transactionalId(ProducerState producer) {
    var byProducer = new ListTransactionsOptions().filterProducerIds(List.of(producer.producerId()));
    var listed = AdminCalls.awaitUnless(AuthorizationException.class, admin.listTransactions(byProducer).all());
    return listed == null
        ? null
        : listed.stream().map(TransactionListing::transactionalId).findFirst().orElse(null);
  }
}
