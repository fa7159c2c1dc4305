package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import io.tidemark.event.Watch;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.Traces.FinishedSpan;
import io.tidemark.rule.Rule;
import io.tidemark.stream.tick.TaskOutput;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

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
  private final Traces traces;
  private long timestamp;
  private @Nullable TraceParent cause;
  private Instant begun = Instant.EPOCH;

  private record RuleAndStatus(String rule, String status) {}

  /** @param topic name, without prefix, of the topic to which the rules apply */
  AlertPublisher(ProcessingContext context, String topic, TaskOutput<SpecificRecord> output) {
    this.context = context;
    this.topic = topic;
    this.output = output;
    this.traces = context.appConfigs().get(TopicRules.TRACES) instanceof Traces configured ? configured : Traces.OFF;
  }

  /**
   * Sets the timestamp of the records that are published next: the timestamp of the record that is now processed. They
   * belong to no trace.
   */
  void timestamp(long newest) {
    this.timestamp = newest;
    this.cause = null;
  }

  /**
   * Lets the alerts that are published next continue a trace: that of the record on which rules are now evaluated.
   * Alerts that time alone causes continue none, because any record may be the one at which their timers fire.
   */
  void cause(@Nullable TraceParent change) {
    this.cause = change;
    this.begun = Instant.now();
  }

  Instant timestamp() {
    return Instant.ofEpochMilli(timestamp);
  }

  void publish(Alert alert) {
    sensors.computeIfAbsent(new RuleAndStatus(alert.getRule(), alert.getStatus()), this::sensor).record();
    output.forward(ALERTS, new Record<>(alert.getSubject(), alert, timestamp, headers(alert)));
  }

  /** Publishes a transition of an alert, and sends it to the groups in which rules on alerts read it. */
  void publish(Alert alert, List<Rule> onAlerts) {
    publish(alert);
    onAlerts.stream().map(rule -> AlertFingerprint.group(rule, alert)).filter(Objects::nonNull).distinct()
        .forEach(group -> output.forward(TaskOutput.GROUPED_ALERTS, new Record<>(group, alert, timestamp)));
  }

  private Headers headers(Alert alert) {
    var headers = new RecordHeaders();
    if (cause != null) {
      var span = cause.child(alert.getId() + "/" + alert.getStatus());
      span.addTo(headers);
      traces.ended(new FinishedSpan(span, cause, "alert " + alert.getRule(), false, begun, Instant.now(),
          Map.of("tidemark.alert", alert.getId(), "tidemark.status", alert.getStatus())));
    }
    return headers;
  }

  /** Publishes a tombstone for a fingerprint to {@code alerts.state}. */
  void remove(String fingerprint) {
    output.forward("alerts.state", new Record<>(fingerprint, null, timestamp));
  }

  /** Asks the ledger to put a rule out of force on all partitions. */
  void command(Watch command) {
    output.forward("watch", new Record<>(command.getKind() + "/" + command.getName(), command, timestamp));
  }

  /** Returns the counter of failed evaluations of a rule, on a record or on known values. A new counter is 0. */
  Sensor skipped(String rule) {
    return skipped.computeIfAbsent(rule, name -> context.metrics().addRateTotalSensor(
        ALERTS, String.join(" ", context.taskId().toString(), topic, name), "skipped", Sensor.RecordingLevel.INFO,
        "rule", name, "topic", topic));
  }

  private Sensor sensor(RuleAndStatus tags) {
    var entity = String.join(" ", context.taskId().toString(), topic, tags.rule(), tags.status()); // unique per sensor
    return context.metrics().addRateTotalSensor(
        ALERTS, entity, "published", Sensor.RecordingLevel.INFO, "rule", tags.rule(), "status", tags.status());
  }
}
