package io.tidemark.audit;

import io.tidemark.topic.AdminCalls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.ProducerState;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.common.TopicPartition;

/** Transactions as Kafka tells of them. */
record OpenTransactions(Admin admin) {

  List<OpenTransaction> open(String topic, int partitions) {
    var all = IntStream.range(0, partitions).mapToObj(each -> new TopicPartition(topic, each)).toList();
    var open = new ArrayList<OpenTransaction>();
    var described = admin.describeProducers(all);
    for (var each : all) {
      for (var producer : AdminCalls.await(described.partitionResult(each)).activeProducers()) {
        producer.currentTransactionStartOffset().ifPresent(offset -> open.add(open(each, producer, offset)));
      }
    }
    return open;
  }

  private OpenTransaction open(TopicPartition in, ProducerState producer, long offset) {
    return new OpenTransaction(
        in.topic(), in.partition(), offset, Instant.ofEpochMilli(producer.lastTimestamp()), name(producer));
  }

  /** A hanging one is often known to no coordinator: then nothing but the producer's id tells whose it is. */
  private String name(ProducerState producer) {
    var ours = new ListTransactionsOptions().filterProducerIds(List.of(producer.producerId()));
    var id = AdminCalls.await(admin.listTransactions(ours).all()).stream()
        .map(TransactionListing::transactionalId)
        .findFirst()
        .orElse("of no coordinator");
    return "producer %d, epoch %d, %s".formatted(producer.producerId(), producer.producerEpoch(), id);
  }
}
