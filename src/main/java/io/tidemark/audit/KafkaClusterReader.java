package io.tidemark.audit;

import io.tidemark.kafka.AdminCalls;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.OpenTransaction;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/** A reader of a Kafka cluster that joins no consumer group and commits no offsets. */
public final class KafkaClusterReader implements ClusterReader, AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  private final Admin admin;
  private final TopicReader reader;
  private final Map<String, Integer> partitions;

  /**
   * @param client configuration that all clients of the cluster share
   * @param topics the topics to read
   */
  public KafkaClusterReader(
      Map<String, Object> client, SchemaRegistry registry, Collection<? extends Topic<?>> topics) {
    this.admin = Admin.create(client);
    this.reader = new TopicReader(client, topics, registry);
    this.partitions = reader.offsets().partitionCounts(topics.stream().<String>map(Topic::name).toList());
  }

  @Override
  public int partitions(String topic) {
    return partitions.getOrDefault(topic, 0);
  }

  @Override
  public @Nullable String topicId(String topic) {
    var description = AdminCalls.awaitUnless(UnknownTopicOrPartitionException.class,
        Objects.requireNonNull(admin.describeTopics(List.of(topic)).topicNameValues().get(topic)));
    return description == null ? null : description.topicId().toString();
  }

  @Override
  public OffsetRange range(Topic<?> topic, int partition) {
    return reader.offsets().committed(topic.name(), partition);
  }

  @Override
  public void read(OffsetRange range, Consumer<CommittedRecord> visitor) {
    reader.read(range, visitor);
  }

  @Override
  public List<OpenTransaction> openTransactions(Topic<?> topic) {
    var all = IntStream.range(0, partitions(topic.name()))
        .mapToObj(each -> new TopicPartition(topic.name(), each))
        .toList();
    return OpenTransaction.read(admin, all);
  }

  @Override
  public void close() {
    reader.close();
    admin.close(CLOSE_TIMEOUT);
  }
}
