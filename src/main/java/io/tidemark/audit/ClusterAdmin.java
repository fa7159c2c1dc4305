package io.tidemark.audit;

import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.Topic;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Where partitions begin and end. */
final class ClusterAdmin {

  /** How long the transactions that are open now are waited for; one that hangs is another law's concern. */
  private static final int ATTEMPTS = 400;

  private static final int PAUSE_MS = 25;

  private final Admin admin;

  ClusterAdmin(Admin admin) {
    this.admin = admin;
  }

  /** Partition counts of those topics that exist. */
  Map<String, Integer> partitions(Collection<? extends Topic<?>> topics) {
    var counts = new HashMap<String, Integer>();
    var names = topics.stream().<String>map(Topic::name).toList();
    admin.describeTopics(names).topicNameValues().forEach((name, described) -> {
      try {
        counts.put(name, described.get().partitions().size());
      } catch (ExecutionException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw failed(e);
        }
      } catch (InterruptedException e) {
        throw interrupted(e);
      }
    });
    return counts;
  }

  /**
   * All records of a transaction lie in their partitions before any of them is marked as committed, and the marks come
   * one by one. So the end of what is written is noted, and committed records are waited for up to there.
   */
  OffsetRange range(Topic<?> topic, int partition) {
    var in = new TopicPartition(topic.name(), partition);
    var begin = offset(in, OffsetSpec.earliest(), IsolationLevel.READ_COMMITTED);
    var written = offset(in, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    var end = offset(in, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    for (var attempt = 0; end < written && attempt < ATTEMPTS; attempt++) {
      pause();
      end = offset(in, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }
    return new OffsetRange(topic, partition, begin, end);
  }

  private long offset(TopicPartition partition, OffsetSpec which, IsolationLevel isolation) {
    return get(
        admin.listOffsets(Map.of(partition, which), new ListOffsetsOptions(isolation)).partitionResult(partition))
        .offset();
  }

  static <T> T get(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw failed(e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static KafkaException failed(ExecutionException e) {
    return e.getCause() instanceof KafkaException known ? known : new KafkaException(e.getCause());
  }

  private static KafkaException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new org.apache.kafka.common.errors.InterruptException("interrupted while reading", e);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }
}
