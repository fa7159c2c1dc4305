package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.topic.SchemaRegistry;
import io.tidemark.topic.Topic;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest values of one compact topic, in a local store as the bytes they have in Kafka, each key behind the shelf's
 * number.
 */
final class StateTable<V extends SpecificRecord> {

  private final LocalStore local;
  private final byte[] prefix;
  private final TopicCodec<V> codec;
  private final Map<String, CachedValue<V>> cache;

  /** That there is none is worth knowing, too. */
  private record CachedValue<V>(@Nullable V value) {}

  /** @param atHand of how many keys the value is kept decoded: of those asked for last */
  StateTable(LocalStore local, int number, Topic<V> topic, SchemaRegistry registry, int atHand) {
    this.local = local;
    this.prefix = new byte[] {(byte) number};
    this.codec = new TopicCodec<>(topic, registry);
    this.cache = new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, CachedValue<V>> eldest) {
        return size() > atHand;
      }
    };
  }

  synchronized @Nullable V find(String key) {
    var known = cache.get(key);
    if (known == null) {
      known = read(key);
      cache.put(key, known);
    }
    return known.value();
  }

  private CachedValue<V> read(String key) {
    var bytes = local.get(storeKey(key.getBytes(UTF_8)));
    return new CachedValue<>(bytes == null ? null : codec.decode(bytes));
  }

  void put(String key, @Nullable SpecificRecord value) {
    putEncoded(key, value == null ? null : codec.encode(value));
  }

  /** Null forgets the key. */
  synchronized void putEncoded(String key, byte @Nullable [] value) {
    cache.remove(key);
    local.put(storeKey(key.getBytes(UTF_8)), value);
  }

  /** The same with the rest of a batch. Nothing was asked for yet: it is the way to fill an empty shelf. */
  void putEncodedIn(LocalStore.StoreBatch batch, byte[] key, byte @Nullable [] value) {
    batch.put(storeKey(key), value);
  }

  /**
   * Visits values in the order of their keys.
   *
   * @param after the key before the first; null for the very first
   * @return the key of the last; null where there were no more
   */
  @Nullable
  String visit(@Nullable String after, int most, BiConsumer<String, ? super V> visitor) {
    var from = after == null ? prefix : storeKey((after + '\0').getBytes(UTF_8));
    var visit = new Object() {
      int count;
      @Nullable
      String last;
    };
    local.scan(from, prefix, (place, bytes) -> {
      visit.last = key(place);
      visitor.accept(visit.last, codec.decode(bytes));
      return ++visit.count < most;
    });
    return visit.count < most ? null : visit.last;
  }

  /** Counted one by one. */
  int size() {
    var count = new int[1];
    local.scan(prefix, prefix, (place, bytes) -> ++count[0] > 0);
    return count[0];
  }

  private byte[] storeKey(byte[] key) {
    return ByteBuffer.allocate(1 + key.length).put(prefix).put(key).array();
  }

  private static String key(byte[] place) {
    return new String(place, 1, place.length - 1, UTF_8);
  }
}
