package io.tidemark.capture.source;

import io.tidemark.kafka.ClassicGroup;
import io.tidemark.kafka.ClusterTopics;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Settings of an instance's membership in the consumer group that distributes the sources.
 *
 * @param kafka configuration that all Kafka clients share
 * @param topics topics of the environment; the group is named after the topic of sources
 * @param owner name of this instance, for people
 */
public record GroupSettings(Map<String, Object> kafka, ClusterTopics topics, String owner) {

  /**
   * Length of a lease: the session timeout less a margin for clocks that run at different speeds and for requests in
   * flight.
   */
  static final Duration LEASE = ClassicGroup.SESSION_TIMEOUT.minusSeconds(2);

  /** Returns the name of the group, which is also the name of the topic whose partitions it distributes. */
  String group() {
    return topics.sources().name();
  }

  /** @param eligibleSlots supplies the slots of the sources that this instance can run now */
  KafkaConsumer<byte[], byte[]> consumer(Supplier<Set<Integer>> eligibleSlots) {
    var config = new HashMap<>(kafka);
    config.put(ConsumerConfig.CLIENT_ID_CONFIG, "tidemark-owner-" + owner);
    ClassicGroup.configure(config, group(), SourceAssignor.class);
    config.put(SourceAssignor.ELIGIBLE_SLOTS, eligibleSlots);
    // The longest response time of a heartbeat, which shortens the lease, is forgotten after few heartbeats.
    config.put(ConsumerConfig.METRICS_SAMPLE_WINDOW_MS_CONFIG, ClassicGroup.HEARTBEAT.toMillis());
    config.put(ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 30_000);
    config.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, 5_000);
    config.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 15_000);
    config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest");
    config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
