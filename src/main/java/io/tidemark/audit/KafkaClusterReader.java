package io.tidemark.audit;

import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import io.tidemark.topic.TopicReader;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;

/** The topics of a Kafka cluster. Joins no consumer group and commits no offsets. */
public final class KafkaClusterReader implements ClusterReader, AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(500);

  private final Admin admin;
  private final TopicReader reader;
  private final OpenTransactions transactions;
  private final Map<String, Integer> partitions;

  /**
   * @param client configuration that all clients of the cluster share
   * @param topics that are read
   */
  public KafkaClusterReader(Map<String, Object> client, SchemaRegistry registry,
      Collection<? extends Topic<?>> topics) {
    this.admin = Admin.create(client);
    this.reader = new TopicReader(client, topics, registry);
    this.transactions = new OpenTransactions(admin);
    this.partitions = reader.offsets().partitionCounts(topics.stream().<String>map(Topic::name).toList());
  }

  @Override
  public int partitions(String topic) {
    return partitions.getOrDefault(topic, 0);
  }

  @Override
  public OffsetRange range(Topic<?> topic, int partition) {
    return reader.offsets().committed(topic.name(), partition);
  }

  @Override
  public List<OpenTransaction> open(Topic<?> topic) {
    return transactions.open(topic.name(), partitions(topic.name()));
  }

  @Override
  public void read(OffsetRange range, Consumer<CommittedRecord> consumer) {
    reader.read(range, consumer);
  }

  @Override
  public void close() {
    reader.close();
    admin.close(CLOSE_TIMEOUT);
  }
}
