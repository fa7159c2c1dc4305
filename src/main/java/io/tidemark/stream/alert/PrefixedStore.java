package io.tidemark.stream.alert;

import com.google.common.collect.Streams;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.tick.ResourceStore.Section;
import java.util.List;
import java.util.function.BiConsumer;
import org.apache.avro.specific.SpecificRecord;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The entries of one type in a store that several types share. The keys of these entries begin with a common name. */
final class PrefixedStore<V extends SpecificRecord> implements Section<V> {

  /** Separator of the parts of a key. It sorts before all other characters, and occurs in no name, id or address. */
  static final char SEPARATOR = '\0';

  private final KeyValueStore<String, byte[]> store;
  private final String name;
  private final AvroSerde<V> serde;

  /** @param topic topic of the rules to which the entries belong; each topic has entries of its own */
  PrefixedStore(
      KeyValueStore<String, byte[]> store, String kind, String topic, Class<V> type, SchemaRegistry registry) {
    this.store = store;
    this.name = kind + SEPARATOR + topic + SEPARATOR;
    this.serde = new AvroSerde<>(type, registry);
  }

  @Override
  public @Nullable V get(String key) {
    var bytes = store.get(name + key);
    return bytes == null ? null : serde.decode(name, bytes);
  }

  @Override
  public void put(String key, @Nullable V value) {
    store.put(name + key, value == null ? null : serde.encode(name, value));
  }

  void delete(String key) {
    put(key, null);
  }

  /**
   * Visits all entries whose keys begin with the given parts. Each part must end with {@link #SEPARATOR}. The visitor
   * may change the entries.
   */
  void forEach(String parts, BiConsumer<String, V> visitor) {
    keys(parts).forEach(key -> {
      var value = get(key);
      if (value != null) {
        visitor.accept(key, value);
      }
    });
  }

  /** Returns the keys that begin with the given parts. Each part must end with {@link #SEPARATOR}. */
  List<String> keys(String parts) {
    try (var found = store.range(name + parts, end(name + parts))) {
      return Streams.stream(found).map(entry -> entry.key.substring(name.length())).toList();
    }
  }

  /** Returns whether there are no entries of this type. */
  boolean isEmpty() {
    try (var found = store.range(name, end(name))) {
      return !found.hasNext();
    }
  }

  /** Returns the first key after all keys that begin with the given parts. */
  static String end(String parts) {
    return parts.substring(0, parts.length() - 1) + (char) (SEPARATOR + 1);
  }
}
