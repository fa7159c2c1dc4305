package io.tidemark.stream.alert;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** What happens without a record, and when by the {@link GapFreeClock}: ids of troubles, in the order of their times. */
final class Timers {

  private static final byte[] SET = {1};

  private final KeyValueStore<String, byte[]> store;
  private final String name;

  Timers(KeyValueStore<String, byte[]> store, String topic) {
    this.store = store;
    this.name = "due" + StoreSection.SEPARATOR + topic + StoreSection.SEPARATOR;
  }

  /** One trouble has one timer: the one it had is taken away. */
  void move(String id, @Nullable Long from, @Nullable Long to) {
    if (from != null && !from.equals(to)) {
      store.delete(key(from) + id);
    }
    if (to != null && !to.equals(from)) {
      store.put(key(to) + id, SET);
    }
  }

  /** Those that are due, the longest due first. */
  List<Timer> due(long by) {
    var due = new ArrayList<Timer>();
    try (var found = store.range(name, key(by + 1))) {
      found.forEachRemaining(entry -> due.add(timer(entry.key)));
    }
    return due;
  }

  /** A trouble and the time it is due at. */
  record Timer(String id, long at) {}

  private Timer timer(String key) {
    var rest = key.substring(name.length());
    var mark = rest.indexOf(StoreSection.SEPARATOR);
    return new Timer(rest.substring(mark + 1), Long.parseLong(rest.substring(0, mark)));
  }

  private String key(long at) {
    return name + "%019d".formatted(Math.max(0, at)) + StoreSection.SEPARATOR;
  }
}
