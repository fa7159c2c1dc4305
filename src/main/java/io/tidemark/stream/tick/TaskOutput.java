package io.tidemark.stream.tick;

import org.apache.kafka.streams.processor.api.Record;

/**
 * The output of one part of a task. It receives records for topics, and each control record after everything that the
 * control record covers.
 */
public interface TaskOutput<R> {

  /** Topic name under which control records are forwarded to the next part of the task. */
  String CONTROL = "control";

  /**
   * Forwards a record to a topic.
   *
   * @param topic name of the topic, without prefix
   */
  void forward(String topic, Record<String, R> record);
}
