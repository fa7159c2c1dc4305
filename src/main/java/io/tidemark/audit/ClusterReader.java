package io.tidemark.audit;

import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.OpenTransaction;
import io.tidemark.kafka.Topic;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A reader of the topics of a Kafka cluster, partition by partition. */
public interface ClusterReader {

  /** Returns the number of partitions of a topic, or 0 if the topic does not exist. */
  int partitions(String topic);

  /**
   * Returns Kafka's id of a topic, or null if the topic does not exist. A topic that was deleted and created again has
   * another id.
   */
  @Nullable
  String topicId(String topic);

  /**
   * Returns the range of the records that are committed in a partition at the time of the call. If any record of a
   * transaction was visible in any partition before the call, the range includes all records of that transaction in
   * this partition.
   */
  OffsetRange range(Topic<?> topic, int partition);

  /** Visits the records of a range, in order. */
  void read(OffsetRange range, Consumer<CommittedRecord> reader);

  List<OpenTransaction> openTransactions(Topic<?> topic);
}
