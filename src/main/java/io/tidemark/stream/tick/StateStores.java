package io.tidemark.stream.tick;

import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Stores by text, each with its changelog in Kafka. */
public final class StateStores {

  private StateStores() {}

  /** For what may be much; each of them costs memory and files of its own in every task. */
  public static <V> StoreBuilder<KeyValueStore<String, V>> onDisk(String name, Serde<V> values) {
    return store(Stores.persistentKeyValueStore(name), values);
  }

  /** For what is little: restored whole at every start. */
  public static <V> StoreBuilder<KeyValueStore<String, V>> inMemory(String name, Serde<V> values) {
    return store(Stores.inMemoryKeyValueStore(name), values);
  }

  private static <V> StoreBuilder<KeyValueStore<String, V>> store(KeyValueBytesStoreSupplier bytes, Serde<V> values) {
    return Stores.keyValueStoreBuilder(bytes, Serdes.String(), values);
  }
}
