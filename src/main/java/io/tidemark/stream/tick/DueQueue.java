package io.tidemark.stream.tick;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** A queue of values in a state store, ordered by due time and then by name. */
public final class DueQueue<V> {

  /** A key that sorts after all digits. */
  private static final String LAST = ":";

  private final KeyValueStore<String, V> store;

  /**
   * A key before which the store has no entry, so that searches begin at this key. A search from the beginning of the
   * store would pass all deleted entries, and most searches find nothing.
   */
  private String floor = "";

  /** A value with its due time and its name. */
  public record DueEntry<V>(Instant at, String name, V value) {}

  public DueQueue(KeyValueStore<String, V> store) {
    this.store = store;
  }

  /** Returns whether the queue has no entries. */
  public boolean isEmpty() {
    try (var entries = store.range(floor, LAST)) {
      return !entries.hasNext();
    }
  }

  public @Nullable V get(Instant due, String name) {
    return store.get(key(due, name));
  }

  /** Puts a value. It replaces any value that has the same due time and name. */
  public void put(Instant due, String name, V value) {
    var key = key(due, name);
    floor = key.compareTo(floor) < 0 ? key : floor;
    store.put(key, value);
  }

  /**
   * Removes and returns up to {@code most} entries that are due by a time, earliest first. Returns fewer only if no
   * other entry is due.
   */
  public List<DueEntry<V>> removeDue(Instant until, int most) {
    var end = sortable(until) + "0"; // '0' sorts directly after '/'
    if (most <= 0 || end.compareTo(floor) < 0) {
      return List.of();
    }
    var due = new ArrayList<KeyValue<String, V>>();
    try (var entries = store.range(floor, LAST)) {
      floor = LAST;
      while (due.size() < most && entries.hasNext()) {
        var entry = entries.next();
        floor = entry.key;
        if (entry.key.compareTo(end) > 0) {
          break;
        }
        due.add(entry);
      }
    }
    due.forEach(entry -> store.put(entry.key, null)); // delete would read the value first
    return due.stream().map(DueQueue::due).toList();
  }

  private static <V> DueEntry<V> due(KeyValue<String, V> entry) {
    var slash = entry.key.indexOf('/');
    var at = Instant.ofEpochMilli(Long.parseLong(entry.key, 0, slash, 10));
    return new DueEntry<>(at, entry.key.substring(slash + 1), entry.value);
  }

  private static String key(Instant due, String name) {
    return sortable(due) + "/" + name;
  }

  /** Returns a time as text. The texts of several times sort like the times. */
  public static String sortable(Instant time) {
    return sortable(time.toEpochMilli(), 13);
  }

  /**
   * Returns a non-negative number as text with leading zeros. Texts with the same number of digits sort like the
   * numbers.
   */
  public static String sortable(long number, int digits) {
    var text = Long.toString(number);
    return text.length() >= digits ? text : "0".repeat(digits - text.length()) + text;
  }
}
