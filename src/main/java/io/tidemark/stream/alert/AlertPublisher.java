package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Watch;
import io.tidemark.stream.tick.TaskOutput;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * A publisher of the alerts of the rules on one topic in one task. It also publishes tombstones to {@code
 * alerts.state}, and commands that put a rule out of force.
 *
 * <p>It counts alerts by rule and status in {@code published-total}, and skipped records by rule and topic in {@code
 * skipped-total}. Both metrics are in the group {@code stream-alerts-metrics}.
 */
final class AlertPublisher {

  private static final String ALERTS = "alerts";

  private final ProcessingContext context;
  private final String topic;
  private final TaskOutput<SpecificRecord> output;
  private final Map<RuleAndStatus, Sensor> sensors = new HashMap<>();
  private final Map<String, Sensor> skipped = new HashMap<>();
  private long timestamp;

  private record RuleAndStatus(String rule, String status) {}

  /** @param topic name, without prefix, of the topic to which the rules apply */
  AlertPublisher(ProcessingContext context, String topic, TaskOutput<SpecificRecord> output) {
    this.context = context;
    this.topic = topic;
    this.output = output;
  }

  /** Sets the timestamp of the records that are published next: the timestamp of the record that is now processed. */
  void timestamp(long newest) {
    this.timestamp = newest;
  }

  Instant timestamp() {
    return Instant.ofEpochMilli(timestamp);
  }

  void publish(Alert alert) {
    sensors.computeIfAbsent(new RuleAndStatus(alert.getRule(), alert.getStatus()), this::sensor).record();
    output.forward(ALERTS, new Record<>(alert.getSubject(), alert, timestamp));
  }

  /** Publishes a tombstone for a fingerprint to {@code alerts.state}. */
  void remove(String fingerprint) {
    output.forward("alerts.state", new Record<>(fingerprint, null, timestamp));
  }

  /** Asks the ledger to put a rule out of force on all partitions. */
  void command(Watch command) {
    output.forward("watch", new Record<>(command.getKind() + "/" + command.getName(), command, timestamp));
  }

  /** Counts a failed evaluation of a rule, on a record or on known values. */
  void countSkipped(String rule) {
    skipped.computeIfAbsent(rule, name -> context.metrics().addRateTotalSensor(
        ALERTS, String.join(" ", context.taskId().toString(), topic, name), "skipped", Sensor.RecordingLevel.INFO,
        "rule", name, "topic", topic)).record();
  }

  private Sensor sensor(RuleAndStatus tags) {
    var entity = String.join(" ", context.taskId().toString(), topic, tags.rule(), tags.status()); // unique per sensor
    return context.metrics().addRateTotalSensor(
        ALERTS, entity, "published", Sensor.RecordingLevel.INFO, "rule", tags.rule(), "status", tags.status());
  }
}
