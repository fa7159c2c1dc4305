package io.tidemark.stream.tick;

import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Builders of key-value stores with a changelog topic. */
public final class StateStores {

  private StateStores() {}

  /** A store of any size; it costs memory and files of its own in every task. */
  public static <V> StoreBuilder<KeyValueStore<String, V>> onDisk(String name, Serde<V> values) {
    return store(Stores.persistentKeyValueStore(name), values);
  }

  /** A small store; it is restored whole at every start. */
  public static <V> StoreBuilder<KeyValueStore<String, V>> inMemory(String name, Serde<V> values) {
    return store(Stores.inMemoryKeyValueStore(name), values);
  }

  private static <V> StoreBuilder<KeyValueStore<String, V>> store(KeyValueBytesStoreSupplier bytes, Serde<V> values) {
    return Stores.keyValueStoreBuilder(bytes, Serdes.String(), values);
  }
}
