package io.tidemark.audit;

import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** The topics of a real cluster. It belongs to no group and leaves no trace. */
public final class KafkaClusterReader implements ClusterReader, AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(500);

  /** Polls in a row that bring nothing, until Kafka is given up. */
  private static final int MAX_EMPTY_POLLS = 60;

  private final Map<String, Object> client;
  private final Admin admin;
  private final ClusterAdmin offsets;
  private final OpenTransactions transactions;
  private final RecordDecoder decoded;
  private final Map<String, Integer> partitions = new HashMap<>();

  /** Those that are not reading just now: a reader may want to read something else in between. */
  private final Deque<KafkaConsumer<String, byte[]>> waiting = new ArrayDeque<>();

  /**
   * @param client what clients of the cluster are made with
   * @param topics that will be read
   */
  public KafkaClusterReader(Map<String, Object> client, SchemaRegistry registry,
      Collection<? extends Topic<?>> topics) {
    this.client = client;
    this.admin = Admin.create(client);
    this.offsets = new ClusterAdmin(admin);
    this.transactions = new OpenTransactions(admin);
    this.decoded = new RecordDecoder(registry, topics);
    offsets.partitions(topics).forEach(partitions::put);
  }

  @Override
  public int partitions(Topic<?> topic) {
    return partitions.getOrDefault(topic.name(), 0);
  }

  @Override
  public OffsetRange range(Topic<?> topic, int partition) {
    return offsets.range(topic, partition);
  }

  @Override
  public List<OpenTransaction> open(Topic<?> topic) {
    return transactions.open(topic.name(), partitions(topic));
  }

  @Override
  public void read(OffsetRange range, Consumer<CommittedRecord> reader) {
    var consumer = waiting.isEmpty() ? consumer() : waiting.pop();
    try {
      read(consumer, range, reader);
    } finally {
      waiting.push(consumer);
    }
  }

  private void read(KafkaConsumer<String, byte[]> consumer, OffsetRange range, Consumer<CommittedRecord> reader) {
    var partition = new TopicPartition(range.topic().name(), range.partition());
    consumer.assign(List.of(partition));
    consumer.seek(partition, range.begin());
    for (int idle = 0; consumer.position(partition) < range.end(); idle++) {
      if (idle > MAX_EMPTY_POLLS) {
        throw new TimeoutException("nothing came from Kafka for half a minute while reading " + partition);
      }
      for (var record : consumer.poll(POLL)) {
        idle = 0;
        if (record.offset() < range.end()) {
          reader.accept(decoded.row(record));
        }
      }
    }
  }

  private KafkaConsumer<String, byte[]> consumer() {
    var config = new HashMap<>(client);
    config.put("isolation.level", "read_committed");
    config.put("enable.auto.commit", false);
    config.put("allow.auto.create.topics", false);
    config.put("auto.offset.reset", "earliest"); // retention may take what was noted
    config.put("max.partition.fetch.bytes", 8 << 20);
    config.put("max.poll.records", 5_000);
    config.put("fetch.max.wait.ms", 10); // it reads what is there: no broker need wait for more
    return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public void close() {
    waiting.forEach(KafkaConsumer::close);
    admin.close(POLL);
  }
}
