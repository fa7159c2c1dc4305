package io.tidemark.audit;

import io.tidemark.kafka.CommittedRecord;
import io.tidemark.kafka.OffsetRange;
import io.tidemark.kafka.OpenTransaction;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.TopicReader;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A reader of a Kafka cluster that joins no consumer group and commits no offsets. */
public final class KafkaClusterReader implements ClusterReader, AutoCloseable {

  private final TopicReader reader;
  private final Map<String, Integer> partitions;

  /**
   * @param client configuration that all clients of the cluster share
   * @param topics the topics to read
   */
  public KafkaClusterReader(
      Map<String, Object> client, SchemaRegistry registry, Collection<? extends Topic<?>> topics) {
    this.reader = new TopicReader(client, topics, registry);
    this.partitions = reader.offsets().partitionCounts(topics.stream().<String>map(Topic::name).toList());
  }

  @Override
  public int partitions(String topic) {
    return partitions.getOrDefault(topic, 0);
  }

  @Override
  public @Nullable String topicId(String topic) {
    var id = reader.offsets().ids(List.of(topic)).get(topic);
    return id == null ? null : id.toString();
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
    return OpenTransaction.read(reader.offsets().admin(), reader.offsets().partitions(List.of(topic.name())));
  }

  @Override
  public void close() {
    reader.close();
  }
}
