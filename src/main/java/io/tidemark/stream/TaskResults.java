package io.tidemark.stream;

import io.tidemark.event.Alert;
import io.tidemark.stream.tick.TaskOutput;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Writes the records that a task makes to their topics; an alert is written by subject and, the newest, by fingerprint. */
record TaskResults(ProcessorContext<String, TopicRecord> context, String sink) implements TaskOutput<SpecificRecord> {

  /** The sinks behind the two processors, each of all topics. */
  static final String OF_RESOURCES = "results-by-resource";

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
