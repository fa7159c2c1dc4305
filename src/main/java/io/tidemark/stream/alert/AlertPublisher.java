package io.tidemark.stream.alert;

import io.tidemark.event.Alert;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.metrics.Sensor;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * How many alerts a task told, by rule and status: {@code told-total} of {@code stream-alerts-metrics}, among Kafka
 * Streams' own figures.
 */
final class AlertPublisher {

  private record What(String rule, String status) {}

  private final ProcessorContext<?, ?> context;
  private final String name;
  private final Map<What, Sensor> sensors = new HashMap<>();

  /** @param name of the topic that rules are on, without prefix */
  AlertPublisher(ProcessorContext<?, ?> context, String name) {
    this.context = context;
    this.name = name;
  }

  void told(Alert alert) {
    sensors.computeIfAbsent(new What(alert.getRule(), alert.getStatus()), this::sensor).record();
  }

  private Sensor sensor(What what) {
    var entity = String.join(" ", context.taskId().toString(), name, what.rule(), what.status()); // names the sensor
    return context.metrics().addRateTotalSensor(
        "alerts", entity, "told", Sensor.RecordingLevel.INFO, "rule", what.rule(), "status", what.status());
  }
}
