package io.tidemark.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;

/**
 * Settings of a consumer group that distributes its partitions with an assignor of this program. Such a group needs
 * Kafka's classic protocol for two reasons. With the consumer protocol (KIP-848), an assignor runs in the broker, which
 * knows neither which sources an instance can run nor that a receiver has a single reader. And by default, brokers do
 * not accept a session timeout below 45 seconds with the consumer protocol, which is too long for a failover.
 */
public final class ClassicGroup {

  /** Time without a heartbeat after which a member loses its partitions. */
  public static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);

  public static final Duration HEARTBEAT = Duration.ofSeconds(1);

  private ClassicGroup() {}

  /** Puts the settings of a group into the configuration of a consumer, which joins the group when it subscribes. */
  public static void configure(
      Map<String, Object> config, String group, Class<? extends ConsumerPartitionAssignor> assignor) {
    config.put(ConsumerConfig.GROUP_ID_CONFIG, group);
    config.put(ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic");
    config.put(ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, List.of(assignor));
    config.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) SESSION_TIMEOUT.toMillis());
    config.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int) HEARTBEAT.toMillis());
  }
}
