package io.tidemark.stream.alert;

import io.tidemark.event.StoredAlertInstance;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.stream.alert.AlertInstance.Armed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The alert instances of one topic in the task's store, by record key, rule and fingerprint. Most resources have no
 * instance, and most instances are over. An instance is open while it is pending, firing or armed. All ids, the ids of
 * open instances, and the timers are indexed in memory.
 */
final class AlertInstances {

  private static final Comparator<Timer> EARLIEST =
      Comparator.comparingLong(Timer::dueAt).thenComparing(Timer::id);

  private final PrefixedStore<StoredAlertInstance> instances;
  private final NavigableSet<String> ids = new TreeSet<>();

  /** Ids of the open instances. The value is true for a pending or firing instance, and false for an armed one. */
  private final NavigableMap<String, Boolean> open = new TreeMap<>();

  private final NavigableSet<Timer> timers = new TreeSet<>(EARLIEST);

  AlertInstances(KeyValueStore<String, byte[]> store, String topic, SchemaRegistry registry) {
    this.instances = new PrefixedStore<>(store, "instance", topic, StoredAlertInstance.class, registry);
    instances.forEach("", (id, instance) -> index(id, instance, null));
  }

  /** The timer of the instance {@code id}. It is due when the {@link GapFreeClock} shows {@code dueAt} milliseconds. */
  record Timer(String id, long dueAt) {}

  /** Returns up to {@code most} timers that are due, earliest first. Returns fewer only if no other timer is due. */
  List<Timer> due(long millis, int most) {
    return timers.stream().takeWhile(timer -> timer.dueAt() <= millis).limit(most).toList();
  }

  /** Returns the timers of one resource that are due, earliest first. */
  List<Timer> dueOf(String key, long millis) {
    var due = new ArrayList<Timer>();
    forEachOf(key, instance -> {
      if (instance.getDue() != null && instance.getDue() <= millis) {
        due.add(new Timer(id(instance), instance.getDue()));
      }
    });
    due.sort(EARLIEST);
    return due;
  }

  /** Returns the instance with the given id, or null if it is no longer stored. */
  @Nullable
  StoredAlertInstance get(String id) {
    return instances.get(id);
  }

  /** Returns the instance of a rule and fingerprint, or a new instance if none is stored. */
  StoredAlertInstance find(String key, String rule, String fingerprint) {
    var id = id(key, rule, fingerprint);
    var found = ids.contains(id) ? get(id) : null;
    return found == null
        ? StoredAlertInstance.newBuilder().setKey(key).setRule(rule).setFingerprint(fingerprint).build()
        : found;
  }

  /** @param dueBefore clock reading to which the timer of the instance was set until now; null if it had no timer */
  void put(StoredAlertInstance instance, @Nullable Long dueBefore) {
    var id = id(instance);
    instances.put(id, instance);
    index(id, instance, dueBefore);
  }

  private void index(String id, StoredAlertInstance instance, @Nullable Long dueBefore) {
    ids.add(id);
    moveTimer(id, dueBefore, instance.getDue());
    switch (AlertInstance.read(instance)) {
      case Active active -> open.put(id, true);
      case Armed armed -> open.put(id, false);
      case null, default -> open.remove(id);
    }
  }

  void delete(StoredAlertInstance instance) {
    var id = id(instance);
    instances.delete(id);
    ids.remove(id);
    moveTimer(id, instance.getDue(), null);
    open.remove(id);
  }

  /** Visits all instances of one resource. The visitor may change and delete them. */
  void forEachOf(String key, Consumer<StoredAlertInstance> visitor) {
    if (hasAny(ids, key)) {
      instances.forEach(prefix(key), (id, instance) -> visitor.accept(instance));
    }
  }

  /** Visits the pending and firing instances of a rule and one resource. The visitor may change and delete them. */
  void forEachActiveOf(String key, String rule, Consumer<StoredAlertInstance> visitor) {
    var prefix = id(key, rule, "");
    open.tailMap(prefix).entrySet().stream()
        .takeWhile(entry -> entry.getKey().startsWith(prefix))
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .toList()
        .forEach(id -> visitor.accept(Objects.requireNonNull(get(id))));
  }

  /** Visits all instances that are pending, firing or armed. The visitor may change and delete them. */
  void forEachOpen(Consumer<StoredAlertInstance> visitor) {
    for (var id : List.copyOf(open.keySet())) {
      var instance = get(id);
      if (instance != null) {
        visitor.accept(instance);
      }
    }
  }

  private static boolean hasAny(NavigableSet<String> ids, String key) {
    var prefix = prefix(key);
    var first = ids.ceiling(prefix);
    return first != null && first.startsWith(prefix);
  }

  /** Returns whether an instance of one resource is pending, firing or armed. */
  boolean hasOpen(String key) {
    return !open.isEmpty() && hasAny(open.navigableKeySet(), key);
  }

  /** Returns whether a condition of one resource is pending or firing. */
  boolean hasActive(String key) {
    if (open.isEmpty()) {
      return false;
    }
    var prefix = prefix(key);
    return open.tailMap(prefix).entrySet().stream()
        .takeWhile(entry -> entry.getKey().startsWith(prefix))
        .anyMatch(Map.Entry::getValue);
  }

  private void moveTimer(String id, @Nullable Long from, @Nullable Long to) {
    if (from != null) {
      timers.remove(new Timer(id, from));
    }
    if (to != null) {
      timers.add(new Timer(id, to));
    }
  }

  private static String id(StoredAlertInstance instance) {
    return id(instance.getKey(), instance.getRule(), instance.getFingerprint());
  }

  private static String id(String key, String rule, String fingerprint) {
    return prefix(key) + rule + PrefixedStore.SEPARATOR + fingerprint;
  }

  private static String prefix(String key) {
    return key.replace(PrefixedStore.SEPARATOR, '\1') + PrefixedStore.SEPARATOR;
  }
}
