package io.tidemark.stream.tick;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Values by the time they are due and a name, in a state store: earliest first, then by name. */
public record DueQueue<V>(KeyValueStore<String, V> store) {

  public @Nullable V get(Instant due, String name) {
    return store.get(key(due, name));
  }

  /** Replaces the value of the same time and name. */
  public void put(Instant due, String name, V value) {
    store.put(key(due, name), value);
  }

  /** Removes and returns all values that are due by a time. */
  public List<V> removeDue(Instant until) {
    var due = new ArrayList<KeyValue<String, V>>();
    try (var entries = store.range(null, sortable(until) + "0")) { // '0' is next to '/'
      entries.forEachRemaining(due::add);
    }
    due.forEach(entry -> store.delete(entry.key));
    return due.stream().map(entry -> entry.value).toList();
  }

  private static String key(Instant due, String name) {
    return sortable(due) + "/" + name;
  }

  private static String sortable(Instant time) {
    return "%013d".formatted(time.toEpochMilli());
  }
}
