package io.tidemark.ledger;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Values of one topic, to and from their bytes. */
final class Codec<V extends SpecificRecord> {

  private final Topic<V> topic;
  private final AvroSerde<V> serde;

  Codec(Topic<V> topic, Registry registry) {
    this.topic = topic;
    this.serde = topic.serde(registry);
  }

  String topic() {
    return topic.name();
  }

  byte[] encode(SpecificRecord value) {
    return serde.encode(topic.name(), topic.value().cast(value));
  }

  V decode(byte[] bytes) {
    return serde.decode(topic.name(), bytes);
  }

  /** The record of a value; a tombstone where there is none. */
  Draft draft(String key, @Nullable SpecificRecord value) {
    return Draft.of(topic.name(), key, value == null ? null : encode(value));
  }
}
