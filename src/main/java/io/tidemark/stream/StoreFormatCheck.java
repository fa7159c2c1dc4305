package io.tidemark.stream;

import com.google.common.collect.Sets;
import io.tidemark.event.StoreFormat;
import io.tidemark.kafka.AvroSerde;
import io.tidemark.kafka.registry.SchemaRegistry;
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
 * A check, when a task starts, that this version of the program can continue with the stores that the previous version
 * wrote. The format is in a store of the task itself, so that it is committed together with the stores that it
 * describes.
 *
 * <p>A store that the previous version did not use is emptied. Its contents are from a still earlier version, and lack
 * everything that was read since that version ran.
 */
record StoreFormatCheck(String name, Set<StoreBuilder<?>> stores, SchemaRegistry registry) {

  /**
   * Version of the store format. Raise it if an encoding changes so that the old or the new program cannot read the
   * stores of the other. Raise it also if a part of a task begins to keep entries in an existing store, because the old
   * program would not remove these entries.
   */
  static final int VERSION = 1;

  private static final String KEY = "format";

  /** Thrown if the stores are in a format that this version of the program cannot continue with. */
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
   * Checks the format of the stores, and then records the current format. Must be called before anything reads the
   * stores.
   *
   * @throws UnknownStoreFormat if the stores are in a format other than {@link #VERSION}
   */
  void check(ProcessingContext context) {
    KeyValueStore<String, StoreFormat> formats = context.getStateStore(name);
    var known = formats.get(KEY);
    var now = new StoreFormat(VERSION, List.copyOf(names()));
    if (known != null && known.getVersion() != VERSION) {
      throw new UnknownStoreFormat(
          "task %s: the task's stores in Kafka have format %d, but this version of the program can use format %d only."
              .formatted(context.taskId(), known.getVersion(), VERSION)
              + " Start the version that wrote the stores, or remake them: see \"Upgrades\" in"
              + " docs/running/operations.md");
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
