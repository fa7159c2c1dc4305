package io.tidemark.capture.ledger;

import io.tidemark.kafka.Quarantine;
import io.tidemark.kafka.Quarantine.ReaderRole;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.TopicLayout;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.Traces;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a ledger: its source, its owner, its topics and its clients.
 *
 * @param owner name of this instance, for people
 * @param kafka configuration that all Kafka clients share; contains at least {@code bootstrap.servers}
 * @param localStore parent folder on this machine's disk, in which each local store creates its own folder; null for
 *     the system's temporary folder
 * @param openTransactionWait maximum time that a session or a rebuild waits, before it reads the topics, for other
 *     producers to end their open transactions on these topics
 * @param quarantine counts the records of the {@link StateTopics} that cannot be used, and creates their dead letters
 * @param traces the traces that the headers of changes name
 */
public record LedgerSettings(
    String source,
    String owner,
    Topics topics,
    TopicLayout layout,
    Map<String, Object> kafka,
    @Nullable Path localStore,
    Duration openTransactionWait,
    Quarantine quarantine,
    Traces traces) {

  public LedgerSettings {
    kafka = Map.copyOf(kafka);
  }

  /** Creates settings with a local store in the system's temporary folder and without traces. */
  public LedgerSettings(String source, String owner, Topics topics, TopicLayout layout, Map<String, Object> kafka,
      Duration openTransactionWait) {
    this(source, owner, topics, layout, kafka, null, openTransactionWait, Traces.OFF);
  }

  /** Creates settings with an own quarantine. */
  public LedgerSettings(String source, String owner, Topics topics, TopicLayout layout, Map<String, Object> kafka,
      @Nullable Path localStore, Duration openTransactionWait, Traces traces) {
    this(source, owner, topics, layout, kafka, localStore, openTransactionWait,
        new Quarantine(source, ReaderRole.LEDGER, StateTopics.of(topics), InstantSource.system()), traces);
  }

  /**
   * Returns the configuration of the producer. {@code kafka} overrides the ledger's defaults, but not the settings
   * that the ledger relies on.
   */
  Map<String, Object> producerConfig() {
    var config = new HashMap<String, Object>();
    config.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000);
    config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 10_000);
    config.putAll(kafka);
    if (!kafka.containsKey(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG)) {
      config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, deliveryTimeout(config));
    }
    config.put(ProducerConfig.CLIENT_ID_CONFIG, "tidemark-ledger-" + source);
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, topics.prefix() + source);
    config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    config.put(ProducerConfig.ACKS_CONFIG, "all");
    // The ledger computes sizes more exactly than the producer, so the producer's limit must be the higher one.
    config.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, RecordLimits.REQUEST);
    return config;
  }

  /** Returns the default of the delivery timeout. The producer accepts none below the sum of its other two times. */
  private static int deliveryTimeout(Map<String, Object> config) {
    return (int) Math.max(30_000,
        millis(config, ProducerConfig.LINGER_MS_CONFIG) + millis(config, ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG));
  }

  private static long millis(Map<String, Object> config, String name) {
    var value = config.containsKey(name) ? config.get(name) : ProducerConfig.configDef().defaultValues().get(name);
    return Long.parseLong(String.valueOf(value));
  }

  /** Creates a consumer of committed records that belongs to no group. */
  public Consumer<byte[], byte[]> consumer() {
    var config = new HashMap<>(kafka);
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "tidemark-restore-" + source);
    config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // a log with deleted offsets cannot be restored
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 10_000);
    config.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, RecordLimits.FETCH);
    // The records already exist, so the broker need not wait for more.
    config.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 10);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
