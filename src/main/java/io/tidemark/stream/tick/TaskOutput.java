package io.tidemark.stream.tick;

import org.apache.kafka.streams.processor.api.Record;

/** Takes what a part of a task makes: a record of a topic, or control behind all that it covers. */
public interface TaskOutput<R> {

  /** The topic of control records, which are for the next part of the task. */
  String CONTROL = "control";

  /**
   * Forwards a record to a topic.
   *
   * @param topic of the record, without prefix
   */
  void forward(String topic, Record<String, R> record);
}
