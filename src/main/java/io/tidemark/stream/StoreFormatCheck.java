package io.tidemark.stream;

import com.google.common.collect.Sets;
import io.tidemark.event.StoreFormat;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.SchemaRegistry;
import io.tidemark.stream.tick.StateStores;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.processor.api.ProcessingContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * A check, when a task starts, that this version can continue with the stores that the last one wrote. The format is
 * in a store of the task itself, so that it is committed together with the stores that it describes.
 *
 * <p>A store that the last version did not have is emptied. It was left behind by a still earlier version, and lacks
 * everything that was read since.
 */
record StoreFormatCheck(String name, Set<StoreBuilder<?>> stores, SchemaRegistry registry) {

  /**
   * Version of the format. It must be raised if an encoding changes so that either version cannot read the other's
   * stores. It must also be raised if a part begins to keep entries in an existing store, since the version before
   * would leave those behind.
   */
  static final int VERSION = 1;

  private static final String KEY = "format";

  /** Thrown if the stores of another version are in a format that this one cannot continue with. */
  static final class UnknownStoreFormat extends KafkaException {
    UnknownStoreFormat(String message) {
      super(message);
    }
  }

  /** Returns the stores of the task, including the store of their format. */
  Set<StoreBuilder<?>> all() {
    return Sets.union(stores, Set.of(StateStores.inMemory(name, new AvroSerde<>(StoreFormat.class, registry))));
  }

  /**
   * Checks the stores and records their format. Must be called before anything reads the stores.
   *
   * @throws UnknownStoreFormat if the stores are in another format
   */
  void check(ProcessingContext context) {
    KeyValueStore<String, StoreFormat> formats = context.getStateStore(name);
    var known = formats.get(KEY);
    var now = new StoreFormat(VERSION, List.copyOf(names()));
    if (known != null && known.getVersion() != VERSION) {
      throw new UnknownStoreFormat(
          "task %s: its stores in Kafka are in format %d, and this version of the program continues with format %d only."
              .formatted(context.taskId(), known.getVersion(), VERSION)
              + " Start the version that wrote them, or remake the stores, see \"Upgrades\" in docs/running/operations.md");
    }
    if (known != null) {
      Sets.difference(names(), Set.copyOf(known.getStores())).forEach(store -> clear(context.getStateStore(store)));
    }
    if (!now.equals(known)) {
      formats.put(KEY, now);
    }
  }

  private Set<String> names() {
    return stores.stream().map(StoreBuilder::name).collect(Collectors.toCollection(TreeSet::new));
  }

  private static <V> void clear(KeyValueStore<String, V> store) {
    try (var entries = store.all()) {
      entries.forEachRemaining(entry -> store.delete(entry.key));
    }
  }
}
