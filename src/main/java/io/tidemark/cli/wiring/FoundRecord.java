package io.tidemark.cli.wiring;

import io.tidemark.topic.Topic;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A record found in a topic.
 *
 * @param value null where the key is forgotten
 */
public record FoundRecord(Topic<?> topic, ConsumerRecord<String, byte[]> record, @Nullable SpecificRecord value) {

  public String key() {
    return record.key() == null ? "" : record.key();
  }
}
