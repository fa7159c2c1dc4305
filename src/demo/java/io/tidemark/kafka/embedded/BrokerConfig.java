package io.tidemark.kafka.embedded;

import io.tidemark.kafka.BrokerSettings;
import io.tidemark.kafka.Retention;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The Kafka configuration of a small broker that starts and restarts quickly. */
final class BrokerConfig {

  static final int NODE_ID = 1;
  static final String CONTROLLER = "CONTROLLER";

  /** One replica and one partition of every internal topic. */
  private static final Map<String, Object> SINGLE = Map.of(
      "offsets.topic.num.partitions", 1,
      "offsets.topic.replication.factor", (short) 1,
      "transaction.state.log.num.partitions", 1,
      "transaction.state.log.replication.factor", (short) 1,
      "transaction.state.log.min.isr", 1,
      "share.coordinator.state.topic.num.partitions", 1,
      "share.coordinator.state.topic.replication.factor", (short) 1,
      "share.coordinator.state.topic.min.isr", (short) 1);

  /**
   * Settings for quick restarts. A restart waits until the old session expires: 13 s with Kafka's defaults, 3 to 4 s
   * with these settings.
   */
  private static final Map<String, Object> QUICK = Map.of(
      "controlled.shutdown.enable", true,
      "broker.session.timeout.ms", 3_000,
      "broker.heartbeat.interval.ms", 500,
      "group.initial.rebalance.delay.ms", 0,
      "group.streams.initial.rebalance.delay.ms", 0,
      "group.streams.min.heartbeat.interval.ms", 500,
      "group.streams.heartbeat.interval.ms", 500,
      "group.consumer.min.heartbeat.interval.ms", 500,
      "group.consumer.heartbeat.interval.ms", 500);

  /**
   * Segment size of internal topics, in bytes. Only closed segments are compacted, and a segment of the default size,
   * 100 MiB, takes hours to fill although few of its records are live.
   */
  private static final int INTERNAL_SEGMENT = 16 << 20;

  private static final Map<String, Object> SMALL = Map.of(
      "offsets.topic.segment.bytes", INTERNAL_SEGMENT,
      "transaction.state.log.segment.bytes", INTERNAL_SEGMENT,
      "log.cleaner.dedupe.buffer.size", 2_097_152L,
      "log.cleaner.threads", 1,
      "num.network.threads", 2,
      "num.io.threads", 2,
      "background.threads", 2);

  /** Number of segments in a partition whose size is limited. */
  private static final int SEGMENTS = 8;

  /**
   * Maximum time after which a segment is closed if sizes are limited; a random part of up to a quarter is taken off.
   * Without it, topics that are written slowly would grow for days until their first segment is full and compacted.
   * Tombstones are kept for the same time. With Kafka's default of a day, the topics of those stores of the streams
   * that delete much would grow for a day.
   */
  private static final Duration LONGEST_SEGMENT = Duration.ofMinutes(20);

  private BrokerConfig() {}

  static Map<String, Object> of(BrokerPorts ports, BrokerSettings settings) {
    var config = new HashMap<String, Object>();
    config.putAll(SINGLE);
    config.putAll(QUICK);
    config.putAll(SMALL);
    config.putAll(listeners(ports, settings.advertisedPort()));
    config.put("log.dirs", settings.dataFolder().toString());
    config.put("auto.create.topics.enable", false);
    config.put("offsets.retention.minutes", (int) Retention.DEFAULT.alerts().toMinutes());
    config.put("log.retention.bytes", settings.retentionBytes());
    if (settings.retentionBytes() != BrokerSettings.UNLIMITED) { // Kafka deletes whole segments only
      config.put("log.segment.bytes", (int) Math.min(settings.retentionBytes() / SEGMENTS, Integer.MAX_VALUE));
      config.put("log.roll.ms", LONGEST_SEGMENT.toMillis());
      // so that not all segments are compacted at once
      config.put("log.roll.jitter.ms", LONGEST_SEGMENT.dividedBy(4).toMillis());
      config.put("log.cleaner.delete.retention.ms", LONGEST_SEGMENT.toMillis());
    }
    return config;
  }

  private static Map<String, Object> listeners(BrokerPorts ports, int advertised) {
    var clients = "PLAINTEXT://127.0.0.1:" + ports.client();
    var controller = "127.0.0.1:" + ports.controller();
    return Map.of(
        "process.roles", "broker,controller",
        "node.id", NODE_ID,
        "controller.quorum.voters", NODE_ID + "@" + controller,
        "listeners", clients + "," + CONTROLLER + "://" + controller,
        "advertised.listeners", advertised == 0 ? clients : "PLAINTEXT://127.0.0.1:" + advertised,
        "controller.listener.names", CONTROLLER,
        "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT," + CONTROLLER + ":PLAINTEXT");
  }
}
