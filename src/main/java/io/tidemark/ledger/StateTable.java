package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.ledger.ValueLog.Position;
import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The newest values of one compacted topic, on this machine's disk as the bytes they have in Kafka. */
final class StateTable<V extends SpecificRecord> {

  private final Topic<V> topic;
  private final AvroSerde<V> serde;
  private final ValueLog values;
  private final boolean hasCache;
  private final Map<String, CachedValue<V>> cache;

  /** A cached value, or that there is none. */
  private record CachedValue<V>(@Nullable V value) {}

  /** @param cached of how many keys, those read last, the value is cached decoded */
  StateTable(LocalStore local, Topic<V> topic, SchemaRegistry registry, int cached) {
    this.topic = topic;
    this.serde = topic.serde(registry);
    this.values = local.valueLog(topic.name());
    this.hasCache = cached > 0;
    this.cache = new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, CachedValue<V>> eldest) {
        return size() > cached;
      }
    };
  }

  synchronized @Nullable V find(String key) {
    if (!hasCache) {
      return read(key);
    }
    var known = cache.get(key);
    if (known == null) {
      known = new CachedValue<>(read(key));
      cache.put(key, known);
    }
    return known.value();
  }

  private @Nullable V read(String key) {
    var bytes = values.get(key.getBytes(UTF_8));
    return bytes == null ? null : serde.decode(topic.name(), bytes);
  }

  void put(String key, @Nullable SpecificRecord value) {
    putEncoded(key.getBytes(UTF_8), value == null ? null : serde.encode(topic.name(), topic.value().cast(value)));
  }

  /** Null deletes the key. */
  synchronized void putEncoded(byte[] key, byte @Nullable [] value) {
    values.put(key, value);
    if (hasCache) {
      cache.remove(new String(key, UTF_8));
    }
  }

  /** Visits values; see {@link ValueLog#visit}. */
  @Nullable
  Position visit(Position from, int most, BiConsumer<String, ? super V> visitor) {
    return values.visit(from, most,
        (key, bytes) -> visitor.accept(new String(key, UTF_8), serde.decode(topic.name(), bytes)));
  }

  int size() {
    return values.size();
  }
}
