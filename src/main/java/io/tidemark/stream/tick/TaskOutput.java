package io.tidemark.stream.tick;

import org.apache.kafka.streams.processor.api.Record;

/**
 * The output of one part of a task. It receives records for topics, and each control record after everything that the
 * control record covers.
 */
public interface TaskOutput<R> {

  /** Pseudo topic name under which control records go to the next part of the task, instead of to a topic. */
  String CONTROL = "control";

  /** Pseudo topic name under which alerts go to their groups. The key of the record is the name of the group. */
  String GROUPED_ALERTS = "grouped-alerts";

  /**
   * Forwards a record to a topic, an alert to a group, or a control record to the next part of the task.
   *
   * @param topic name of the topic, without prefix, or {@link #CONTROL} or {@link #GROUPED_ALERTS}
   */
  void forward(String topic, Record<String, R> record);
}
