package io.tidemark.stream;

import io.tidemark.kafka.CleanupPolicy;
import io.tidemark.kafka.RecordLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Settings of the stream application of a source.
 *
 * @param stateDirectory directory of the application's stores, which are restored from Kafka if they are lost
 * @param threads number of threads of this instance; threads beyond the number of tasks, two for each partition, are
 *     idle
 * @param commitInterval time between two commits; results are visible to readers of committed records after a commit
 * @param client properties of Kafka clients and Kafka Streams (TLS, SASL, num.standby.replicas, ...), which replace
 *     defaults
 */
public record StreamSettings(
    String bootstrapServers,
    Path stateDirectory,
    int threads,
    Duration commitInterval,
    Map<String, String> client) {

  /**
   * Bytes of a producer batch. One transaction writes many records to few partitions, so larger batches compress
   * better.
   */
  private static final int BATCH_BYTES = 128 << 10;

  public StreamSettings {
    client = Map.copyOf(client);
    if (threads < 1) {
      throw new IllegalArgumentException("stream.threads: must be at least 1, got " + threads);
    }
  }

  /**
   * Returns the number of threads for the application of one source. The sources share all cores except one, which is
   * left to polling and the ledger. Each source has at least one thread, and at most as many as partitions.
   *
   * @param sources number of sources that share the cores
   */
  public static int threads(int cores, int partitions, int sources) {
    return Math.clamp((cores - 1) / sources, 1, partitions);
  }

  /**
   * Returns the properties of Kafka Streams. {@code client} properties replace defaults, but not the exactly-once
   * guarantee, nor the application id, servers, state directory, threads, commit interval, memory limits of stores and
   * maximum request size.
   */
  public Map<String, Object> properties(String prefix) {
    var properties = new HashMap<String, Object>();
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG), 10_000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG), 3_000);
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG), "earliest");
    properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.FETCH_MAX_BYTES_CONFIG), RecordLimits.FETCH);
    properties.put(StreamsConfig.METADATA_MAX_AGE_CONFIG, 30_000);
    properties.put(StreamsConfig.topicPrefix(TopicConfig.MAX_MESSAGE_BYTES_CONFIG), RecordLimits.BATCH);
    properties.put(StreamsConfig.topicPrefix(TopicConfig.SEGMENT_BYTES_CONFIG), CleanupPolicy.SEGMENT);
    properties.put(StreamsConfig.topicPrefix(TopicConfig.RETENTION_BYTES_CONFIG), -1);
    properties.put(StreamsConfig.NUM_STANDBY_REPLICAS_CONFIG, 1);
    properties.put(StreamsConfig.TASK_ASSIGNOR_CLASS_CONFIG, WarmUpTaskAssignor.class.getName());
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.COMPRESSION_TYPE_CONFIG), "lz4");
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.BATCH_SIZE_CONFIG), BATCH_BYTES);
    properties.putAll(client);
    properties.put(StreamsConfig.producerPrefix(ProducerConfig.MAX_REQUEST_SIZE_CONFIG), RecordLimits.REQUEST);
    properties.put(StreamsConfig.APPLICATION_ID_CONFIG, prefix + "stream");
    properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    properties.put(StreamsConfig.STATE_DIR_CONFIG, stateDirectory.toString());
    properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, threads);
    properties.put(StreamsConfig.COMMIT_INTERVAL_MS_CONFIG, commitInterval.toMillis());
    properties.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, BoundedRocksDbMemory.class);
    properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    properties.put("processing.exception.handler.global.enabled", true); // without it, each start logs a warning
    properties.put(StreamsConfig.ENSURE_EXPLICIT_INTERNAL_RESOURCE_NAMING_CONFIG, true);
    return properties;
  }
}
