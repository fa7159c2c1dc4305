package io.tidemark.audit;

import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.Topic;
import java.util.List;
import java.util.function.Consumer;

/** The topics of a cluster, read partition by partition. */
public interface ClusterReader {

  /** How many partitions a topic has; none where there is no such topic. */
  int partitions(String topic);

  /**
   * What lies committed in a partition now. A transaction of which anything was to be seen before this was called, in
   * any partition, is in it.
   */
  OffsetRange range(Topic<?> topic, int partition);

  /** Shows the records of a span, in order. */
  void read(OffsetRange range, Consumer<CommittedRecord> reader);

  /** The transactions that are open on a topic. */
  List<OpenTransaction> open(Topic<?> topic);
}
