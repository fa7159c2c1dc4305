package io.tidemark.topic;

import org.apache.avro.specific.SpecificRecord;

/** A Kafka topic together with what may be in it; the keys of all are plain strings. */
public record Topic<V extends SpecificRecord>(String name, Class<V> value, CleanupPolicy cleanup) {

  /** Name of the value's schema in the registry. */
  public String subject() {
    return name + "-value";
  }

  public AvroSerde<V> serde(SchemaRegistry registry) {
    return new AvroSerde<>(value, registry);
  }
}
