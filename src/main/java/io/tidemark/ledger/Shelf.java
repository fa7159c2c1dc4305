package io.tidemark.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tidemark.topic.Registry;
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
final class Shelf<V extends SpecificRecord> {

  private final LocalStore local;
  private final byte[] number;
  private final Codec<V> codec;
  private final Map<String, Known<V>> atHand;

  /** That there is none is worth knowing, too. */
  private record Known<V>(@Nullable V value) {}

  /** @param atHand of how many keys the value is kept decoded: of those asked for last */
  Shelf(LocalStore local, int number, Topic<V> topic, Registry registry, int atHand) {
    this.local = local;
    this.number = new byte[] {(byte) number};
    this.codec = new Codec<>(topic, registry);
    this.atHand = new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<String, Known<V>> eldest) {
        return size() > atHand;
      }
    };
  }

  synchronized @Nullable V find(String key) {
    var known = atHand.get(key);
    if (known == null) {
      known = read(key);
      atHand.put(key, known);
    }
    return known.value();
  }

  private Known<V> read(String key) {
    var bytes = local.get(place(key.getBytes(UTF_8)));
    return new Known<>(bytes == null ? null : codec.decode(bytes));
  }

  void put(String key, @Nullable SpecificRecord value) {
    keep(key, value == null ? null : codec.encode(value));
  }

  /** Null forgets the key. */
  synchronized void keep(String key, byte @Nullable [] value) {
    atHand.remove(key);
    local.put(place(key.getBytes(UTF_8)), value);
  }

  /** The same with the rest of a batch. Nothing was asked for yet: it is the way to fill an empty shelf. */
  void fill(LocalStore.Batch batch, byte[] key, byte @Nullable [] value) {
    batch.put(place(key), value);
  }

  /**
   * Visits values in the order of their keys.
   *
   * @param after the key before the first; null for the very first
   * @return the key of the last; null where there were no more
   */
  @Nullable
  String visit(@Nullable String after, int most, BiConsumer<String, ? super V> visitor) {
    var from = after == null ? number : place((after + '\0').getBytes(UTF_8));
    var visit = new Object() {
      int count;
      @Nullable
      String last;
    };
    local.scan(from, number, (place, bytes) -> {
      visit.last = key(place);
      visitor.accept(visit.last, codec.decode(bytes));
      return ++visit.count < most;
    });
    return visit.count < most ? null : visit.last;
  }

  /** Counted one by one. */
  int size() {
    var count = new int[1];
    local.scan(number, number, (place, bytes) -> ++count[0] > 0);
    return count[0];
  }

  private byte[] place(byte[] key) {
    return ByteBuffer.allocate(1 + key.length).put(number).put(key).array();
  }

  private static String key(byte[] place) {
    return new String(place, 1, place.length - 1, UTF_8);
  }
}
