package io.tidemark.stream.tick;

import io.tidemark.kafka.RecordLimits;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** Factory methods for key-value stores with a changelog topic and values of bounded size. */
public final class StateStores {

  private StateStores() {}

  /** Returns a store that may grow to any size. Each task has a separate RocksDB instance for the store. */
  public static <V> StoreBuilder<KeyValueStore<String, V>> onDisk(String name, Serde<V> values) {
    return store(Stores.persistentKeyValueStore(name), values);
  }

  /**
   * Returns a store for few entries, which are all restored at every start. If a key gets several values between two
   * commits, only the last value is written to the changelog.
   */
  public static <V> StoreBuilder<KeyValueStore<String, V>> inMemory(String name, Serde<V> values) {
    return store(Stores.inMemoryKeyValueStore(name), values).withCachingEnabled();
  }

  private static <V> StoreBuilder<KeyValueStore<String, V>> store(KeyValueBytesStoreSupplier bytes, Serde<V> values) {
    return Stores.keyValueStoreBuilder(bytes, Serdes.String(), RecordLimits.bounded(bytes.name(), values));
  }
}
