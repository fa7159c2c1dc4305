package io.tidemark.ledger;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** Values of one topic, to and from their bytes. */
public final class TopicCodec<V extends SpecificRecord> {

  private final Topic<V> topic;
  private final AvroSerde<V> serde;

  public TopicCodec(Topic<V> topic, SchemaRegistry registry) {
    this.topic = topic;
    this.serde = topic.serde(registry);
  }

  public String topic() {
    return topic.name();
  }

  public byte[] encode(SpecificRecord value) {
    return serde.encode(topic.name(), topic.value().cast(value));
  }

  V decode(byte[] bytes) {
    return serde.decode(topic.name(), bytes);
  }

  /** The record of a value; a tombstone where there is none. */
  PendingRecord draft(String key, @Nullable SpecificRecord value) {
    return PendingRecord.of(topic.name(), key, value == null ? null : encode(value));
  }
}
