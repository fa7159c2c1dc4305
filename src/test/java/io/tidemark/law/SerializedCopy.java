package io.tidemark.law;

import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.specific.SpecificRecord;

/** Copies of records by serialization, as they come back from a topic. */
final class SerializedCopy {
  private static final BuiltInRegistry REGISTRY = new BuiltInRegistry(new Topics("law.", Retention.DEFAULT).all());
  private static final Map<Class<?>, AvroSerde<?>> SERDES = new ConcurrentHashMap<>();

  private SerializedCopy() {}

  @SuppressWarnings("unchecked")
  static <R extends SpecificRecord> R again(R record) {
    var type = (Class<R>) record.getClass();
    var serde = (AvroSerde<R>) SERDES.computeIfAbsent(type, absent -> new AvroSerde<>(type, REGISTRY));
    return serde.decode("law", serde.encode("law", record));
  }
}
