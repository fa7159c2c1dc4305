package io.tidemark.stream;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.serialization.Serializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/** A store in memory that counts what is done with it: reads, writes, and entries that an iterator passes. */
public final class CountingStore<V> implements KeyValueStore<String, V> {

  private final String name;
  private final UnaryOperator<V> copier;
  private final NavigableMap<String, V> entries = new ConcurrentSkipListMap<>();
  private long operations;

  public CountingStore(String name) {
    this(name, UnaryOperator.identity());
  }

  /** @param copier of values that are put and read, where the caller changes them */
  public CountingStore(String name, UnaryOperator<V> copier) {
    this.name = name;
    this.copier = copier;
  }

  /** The operations since this was asked last. */
  public long operations() {
    var counted = operations;
    operations = 0;
    return counted;
  }

  /** Its entries, to go back to. */
  public Map<String, V> entries() {
    return new TreeMap<>(entries);
  }

  /** Goes back to entries, as a store does whose transaction was aborted. */
  public void goBackTo(Map<String, ?> before) {
    entries.clear();
    before.forEach((key, value) -> entries.put(key, cast(value)));
  }

  @SuppressWarnings("unchecked") // they are entries of this store
  private V cast(Object value) {
    return (V) value;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public V get(String key) {
    operations++;
    var value = entries.get(key);
    return value == null ? null : copier.apply(value);
  }

  @Override
  public void put(String key, V value) {
    operations++;
    if (value == null) {
      entries.remove(key);
    } else {
      entries.put(key, copier.apply(value));
    }
  }

  @Override
  public V delete(String key) {
    operations++;
    return entries.remove(key);
  }

  @Override
  public V putIfAbsent(String key, V value) {
    operations++;
    return entries.putIfAbsent(key, value);
  }

  @Override
  public void putAll(List<KeyValue<String, V>> all) {
    all.forEach(each -> put(each.key, each.value));
  }

  @Override
  public KeyValueIterator<String, V> range(String from, String to) {
    var tail = from == null ? entries : entries.tailMap(from, true);
    return iterator(to == null ? tail : tail.headMap(to, true));
  }

  @Override
  public KeyValueIterator<String, V> all() {
    return iterator(entries);
  }

  @Override
  public <P extends Serializer<K>, K> KeyValueIterator<String, V> prefixScan(K prefix, P serializer) {
    return iterator(entries.subMap(prefix.toString(), true, prefix.toString() + Character.MAX_VALUE, true));
  }

  @Override
  public long approximateNumEntries() {
    return entries.size();
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    // nothing is restored
  }

  @Override
  public void close() {
    entries.clear();
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  private KeyValueIterator<String, V> iterator(NavigableMap<String, V> of) {
    operations++;
    return new Entries(of.entrySet().iterator());
  }

  /** Entries, lazily. */
  private final class Entries implements KeyValueIterator<String, V> {

    private final Iterator<Map.Entry<String, V>> found;

    Entries(Iterator<Map.Entry<String, V>> found) {
      this.found = found;
    }

    @Override
    public boolean hasNext() {
      return found.hasNext();
    }

    @Override
    public KeyValue<String, V> next() {
      operations++;
      var entry = found.next();
      return KeyValue.pair(entry.getKey(), entry.getValue());
    }

    @Override
    public String peekNextKey() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
      // holds nothing
    }
  }
}
