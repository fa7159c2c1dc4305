package io.tidemark.cli;

import io.tidemark.topic.Topic;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record found in a topic.
 *
 * @param value null where the key is forgotten
 */
record Found(Topic<?> topic, ConsumerRecord<String, byte[]> record, @Nullable SpecificRecord value) {

  String key() {
    return record.key() == null ? "" : record.key();
  }
}
