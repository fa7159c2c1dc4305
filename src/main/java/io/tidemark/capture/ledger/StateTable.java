package io.tidemark.capture.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.Topic;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The newest values of one compacted topic, in a local store, as the bytes they have in Kafka. The keys in the store
 * begin with the number of the table.
 */
final class StateTable<V extends SpecificRecord> {

  private final LocalStore local;
  private final byte[] prefix;
  private final Topic<V> topic;
  private final AvroSerde<V> serde;
  private final LoadingCache<String, Optional<V>> cache;

  /** @param cached maximum number of decoded values in the cache */
  StateTable(LocalStore local, int number, Topic<V> topic, SchemaRegistry registry, int cached) {
    this.local = local;
    this.prefix = new byte[] {(byte) number};
    this.topic = topic;
    this.serde = topic.serde(registry);
    this.cache = Caffeine.newBuilder().maximumSize(cached).executor(Runnable::run).build(this::read);
  }

  @Nullable
  V find(String key) {
    return cache.get(key).orElse(null);
  }

  private Optional<V> read(String key) {
    return Optional.ofNullable(local.get(storeKey(key.getBytes(UTF_8)))).map(this::decode);
  }

  void put(String key, @Nullable SpecificRecord value) {
    try (var batch = local.batch()) {
      var bytes = key.getBytes(UTF_8);
      putEncoded(batch, bytes, value == null ? null : serde.encode(topic.name(), topic.value().cast(value)));
      batch.write();
      forget(bytes);
    }
  }

  /**
   * Puts a value as part of a batch; null deletes the key. Call {@link #forget} for the key after the batch is written.
   */
  void putEncoded(LocalStore.StoreBatch batch, byte[] key, byte @Nullable [] value) {
    batch.put(storeKey(key), value);
  }

  V decode(byte[] value) {
    return serde.decode(topic.name(), value);
  }

  /** Drops the decoded value of a key from the cache in memory. The store keeps its value. */
  void forget(byte[] key) {
    cache.invalidate(new String(key, UTF_8));
  }

  /**
   * Visits at most {@code most} values, in the order of their keys.
   *
   * @param after key after which to begin; null to begin with the first key
   * @return key of the last visited value; null if fewer than {@code most} values were visited, so that none follows
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
      visit.last = new String(storeKey, prefix.length, storeKey.length - prefix.length, UTF_8);
      visitor.accept(visit.last, decode(bytes));
      return ++visit.count < most;
    });
    return visit.count < most ? null : visit.last;
  }

  /** Returns the number of values, counted one by one. */
  int size() {
    var count = new int[1];
    local.scan(prefix, prefix, (key, value) -> ++count[0] > 0);
    return count[0];
  }

  private byte[] storeKey(byte[] key) {
    return ByteBuffer.allocate(prefix.length + key.length).put(prefix).put(key).array();
  }
}
