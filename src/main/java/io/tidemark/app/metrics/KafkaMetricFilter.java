package io.tidemark.app.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import java.util.Set;

/**
 * A filter that shows only the metrics of Kafka's clients and of Kafka Streams that are useful to operators of
 * Tidemark. Kafka has hundreds of metrics, most of them for each broker, task or store.
 */
final class KafkaMetricFilter implements MeterFilter {

  private static final String PREFIX = "kafka.";

  /** Names of the shown metrics, as Prometheus writes them. docs/running/monitoring.md explains each metric. */
  static final Set<String> SHOWN = Set.of(
      "kafka_consumer_connection_count",
      "kafka_consumer_coordinator_assigned_partitions",
      "kafka_consumer_coordinator_commit_latency_max",
      "kafka_consumer_coordinator_failed_rebalance_total",
      "kafka_consumer_coordinator_last_heartbeat_seconds_ago",
      "kafka_consumer_coordinator_rebalance_latency_max",
      "kafka_consumer_coordinator_rebalance_total",
      "kafka_consumer_failed_authentication_total",
      "kafka_consumer_fetch_manager_fetch_latency_max",
      "kafka_consumer_fetch_manager_fetch_throttle_time_max",
      "kafka_consumer_incoming_byte_total",
      "kafka_consumer_last_poll_seconds_ago",
      "kafka_producer_bufferpool_wait_time_ns_total",
      "kafka_producer_connection_count",
      "kafka_producer_failed_authentication_total",
      "kafka_producer_outgoing_byte_total",
      "kafka_producer_produce_throttle_time_max",
      "kafka_producer_record_error_total",
      "kafka_producer_record_retry_total",
      "kafka_producer_record_send_total",
      "kafka_producer_request_latency_avg",
      "kafka_producer_request_latency_max",
      "kafka_producer_requests_in_flight",
      "kafka_producer_txn_abort_time_ns_total",
      "kafka_producer_txn_commit_time_ns_total",
      "kafka_stream_alive_stream_threads",
      "kafka_stream_candles_late_changes_total",
      "kafka_stream_failed_stream_threads_total",
      "kafka_stream_state_updater_active_restoring_tasks",
      "kafka_stream_state_updater_restore_records_rate",
      "kafka_stream_state_updater_standby_updating_tasks",
      "kafka_stream_thread_commit_ratio",
      "kafka_stream_thread_poll_ratio",
      "kafka_stream_thread_process_ratio",
      "kafka_stream_thread_process_total",
      "kafka_stream_thread_punctuate_ratio");

  @Override
  public MeterFilterReply accept(Meter.Id meter) {
    return !meter.getName().startsWith(PREFIX) || isShown(meter) ? MeterFilterReply.NEUTRAL : MeterFilterReply.DENY;
  }

  /** Hides metrics with a label for a topic or partition, because their number grows with the cluster. */
  private static boolean isShown(Meter.Id meter) {
    var name = meter.getName().replace('.', '_');
    return (SHOWN.contains(name) || SHOWN.contains(name + "_total"))
        && meter.getTag("topic") == null && meter.getTag("partition") == null;
  }
}
