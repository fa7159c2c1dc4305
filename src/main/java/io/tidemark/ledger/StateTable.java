package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest values of one compacted topic, in a local store as the bytes they have in Kafka. Keys have the number of the
 * table as prefix.
 */
final class StateTable<V extends SpecificRecord> {

  private final LocalStore local;
  private final byte[] prefix;
  private final Topic<V> topic;
  private final AvroSerde<V> serde;
  private final boolean hasCache;
  private final Map<String, CachedValue<V>> cache;

  /** A cached value, or that there is none. */
  private record CachedValue<V>(@Nullable V value) {}

  /** @param cached of how many keys, those read last, the value is cached decoded */
  StateTable(LocalStore local, int number, Topic<V> topic, SchemaRegistry registry, int cached) {
    this.local = local;
    this.prefix = new byte[] {(byte) number};
    this.topic = topic;
    this.serde = topic.serde(registry);
    this.hasCache = cached > 0;
    this.cache = new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, CachedValue<V>> eldest) {
        return size() > cached;
      }
    };
  }

  /** Whether it caches values that were read. */
  boolean hasCache() {
    return hasCache;
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
    var bytes = local.get(storeKey(key.getBytes(UTF_8)));
    return bytes == null ? null : serde.decode(topic.name(), bytes);
  }

  void put(String key, @Nullable SpecificRecord value) {
    putEncoded(key, value == null ? null : serde.encode(topic.name(), topic.value().cast(value)));
  }

  /** Null deletes the key. */
  synchronized void putEncoded(String key, byte @Nullable [] value) {
    cache.remove(key);
    local.put(storeKey(key.getBytes(UTF_8)), value);
  }

  /** Reads the value of a key anew when it is needed next. */
  synchronized void forgetCached(String key) {
    cache.remove(key);
  }

  /** The same as part of a batch. Where values were read before, the cached ones are to be forgotten afterwards. */
  void putEncodedIn(LocalStore.StoreBatch batch, byte[] key, byte @Nullable [] value) {
    batch.put(storeKey(key), value);
  }

  /**
   * Visits values in the order of their keys.
   *
   * @param after the key before the first; null for the very first
   * @return the key of the last; null where no more follow
   */
  @Nullable
  String visit(@Nullable String after, int most, BiConsumer<String, ? super V> visitor) {
    var from = after == null ? prefix : storeKey((after + '\0').getBytes(UTF_8));
    var visit = new Object() {
      int count;
      @Nullable
      String last;
    };
    local.scan(from, prefix, (storeKey, bytes) -> {
      visit.last = key(storeKey);
      visitor.accept(visit.last, serde.decode(topic.name(), bytes));
      return ++visit.count < most;
    });
    return visit.count < most ? null : visit.last;
  }

  /** The number of values, counted one by one. */
  int size() {
    var count = new int[1];
    local.scan(prefix, prefix, (storeKey, bytes) -> ++count[0] > 0);
    return count[0];
  }

  private byte[] storeKey(byte[] key) {
    return ByteBuffer.allocate(1 + key.length).put(prefix).put(key).array();
  }

  private static String key(byte[] storeKey) {
    return new String(storeKey, 1, storeKey.length - 1, UTF_8);
  }
}
