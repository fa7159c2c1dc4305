package io.tidemark.stream.alert;

import io.tidemark.topic.AvroSerde;
import io.tidemark.topic.SchemaRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Entries of one kind in a store that holds several: each kind under a name of its own. */
final class StoreSection<V extends SpecificRecord> {

  /** Separates parts of a key: sorts before all else, and no name, id or address holds it. */
  static final char SEPARATOR = '\0';

  private final KeyValueStore<String, byte[]> store;
  private final String name;
  private final AvroSerde<V> serde;

  StoreSection(KeyValueStore<String, byte[]> store, String name, Class<V> type, SchemaRegistry registry) {
    this.store = store;
    this.name = name + SEPARATOR;
    this.serde = new AvroSerde<>(type, registry);
  }

  @Nullable
  V get(String key) {
    var bytes = store.get(name + key);
    return bytes == null ? null : serde.decode(name, bytes);
  }

  void put(String key, V value) {
    store.put(name + key, serde.encode(name, value));
  }

  void delete(String key) {
    store.delete(name + key);
  }

  /** Deletes what may not be there: nothing is written where it is not. */
  void deleteIfPresent(String key) {
    if (store.get(name + key) != null) {
      store.delete(name + key);
    }
  }

  /** Whether some value is so, of all keys that begin with whole parts. */
  boolean any(String parts, Predicate<V> test) {
    try (var found = store.range(name + parts, end(name + parts))) {
      while (found.hasNext()) {
        if (test.test(serde.decode(name, found.next().value))) {
          return true;
        }
      }
      return false;
    }
  }

  /** All keys that begin with whole parts, each with its mark; what is done with the values may change the shelf. */
  void each(String parts, BiConsumer<String, V> taker) {
    var from = name + parts;
    keys(from, end(from)).forEach(key -> {
      var bytes = store.get(key);
      if (bytes != null) {
        taker.accept(key.substring(name.length()), serde.decode(name, bytes));
      }
    });
  }

  /** After all keys that begin with these parts. */
  private static String end(String parts) {
    return parts.substring(0, parts.length() - 1) + (char) (SEPARATOR + 1);
  }

  private List<String> keys(String from, String to) {
    var keys = new ArrayList<String>();
    try (var found = store.range(from, to)) {
      found.forEachRemaining(entry -> keys.add(entry.key));
    }
    return keys;
  }
}
