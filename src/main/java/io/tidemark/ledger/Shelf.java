package io.tidemark.ledger;

import io.tidemark.topic.Registry;
import io.tidemark.topic.Topic;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The newest values of one compact topic, as the bytes they have in Kafka. */
final class Shelf<V extends SpecificRecord> {

  private final Codec<V> codec;
  private final Map<String, byte[]> values = new HashMap<>();

  Shelf(Topic<V> topic, Registry registry) {
    codec = new Codec<>(topic, registry);
  }

  @Nullable V find(String key) {
    var bytes = values.get(key);
    return bytes == null ? null : codec.decode(bytes);
  }

  void put(String key, @Nullable SpecificRecord value) {
    keep(key, value == null ? null : codec.encode(value));
  }

  /** Null forgets the key. */
  void keep(String key, byte @Nullable [] value) {
    if (value == null) {
      values.remove(key);
    } else {
      values.put(key, value);
    }
  }

  void forEach(BiConsumer<String, ? super V> visitor) {
    values.forEach((key, bytes) -> visitor.accept(key, codec.decode(bytes)));
  }

  int size() {
    return values.size();
  }
}
