package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.stream.tick.TaskOutput;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The output of a task, which writes records to their topics. An alert is written twice: to its topic with the subject
 * as key, and to {@code alerts.state}, which keeps the newest alert of each fingerprint, with the fingerprint as key.
 */
record TaskResults(ProcessorContext<String, TopicRecord> context, String sink) implements TaskOutput<SpecificRecord> {

  /** Name of the sink that writes the results of {@link ResourceProcessor} to their topics. */
  static final String OF_RESOURCES = "results-by-resource";

  /** Name of the sink that writes the results of {@link GroupProcessor} to their topics. */
  static final String OF_GROUPS = "results-by-group";

  @Override
  public void forward(String topic, Record<String, SpecificRecord> record) {
    write(topic, record);
    if (record.value() instanceof Alert alert) {
      write("alerts.state", record.withKey(alert.getFingerprint()));
    }
  }

  private void write(String topic, Record<String, SpecificRecord> record) {
    context.forward(record.withValue(new TopicRecord(topic, record.value())), sink);
  }
}
