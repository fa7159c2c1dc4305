package io.tidemark.audit;

import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.OpenTransaction;
import io.tidemark.topic.Topic;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads the topics of a cluster, partition by partition. */
public interface ClusterReader {

  /** The number of partitions; 0 where the topic does not exist. */
  int partitions(String topic);

  /** Kafka's id of a topic: one that was deleted and created again has another; null where it does not exist. */
  @Nullable
  String topicId(String topic);

  /** What is committed in a partition now, including all of each transaction that was visible anywhere before. */
  OffsetRange range(Topic<?> topic, int partition);

  /** Visits the records of a range, in order. */
  void read(OffsetRange range, Consumer<CommittedRecord> reader);

  List<OpenTransaction> openTransactions(Topic<?> topic);
}
