package io.tidemark.stream.tick;

import org.apache.kafka.streams.processor.api.Record;

/** The output of a part of a task: records of topics, and control records after everything that they cover. */
public interface TaskOutput<R> {

  /** Name of the topic of control records, which are for the next part of the task. */
  String CONTROL = "control";

  /**
   * Forwards a record to a topic.
   *
   * @param topic name of the topic, without prefix
   */
  void forward(String topic, Record<String, R> record);
}
