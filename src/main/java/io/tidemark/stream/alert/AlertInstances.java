package io.tidemark.stream.alert;

import io.tidemark.event.StoredAlertInstance;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.stream.alert.AlertInstance.Armed;
import io.tidemark.stream.tick.DueQueue;
import io.tidemark.topic.SchemaRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The alert instances of one topic in the task's store, each by record key, rule and fingerprint, and their timers. Most
 * resources have none, and most instances are over: which ids there are, which of them are open, and when the earliest
 * timer is due, is known without the store.
 */
final class AlertInstances {

  private static final byte[] PRESENT = {1};
  private static final byte[] ACTIVE = {'a'};
  private static final byte[] ARMED = {'r'};

  /** Sorts behind all digits. */
  private static final char LAST = ':';

  private final KeyValueStore<String, byte[]> store;
  private final PrefixedStore<StoredAlertInstance> instances;
  private final String topic;
  private final String timers;
  private final String openIds;
  private final NavigableSet<String> ids = new TreeSet<>();
  /** Ids of the instances that are not over: true for a pending or firing one, false for an armed one. */
  private final NavigableMap<String, Boolean> open = new TreeMap<>();

  /** No timer is due before. */
  private long earliestDue;

  AlertInstances(KeyValueStore<String, byte[]> store, String topic, SchemaRegistry registry) {
    this.store = store;
    this.instances = new PrefixedStore<>(store, "instance", StoredAlertInstance.class, registry);
    this.topic = topic + PrefixedStore.SEPARATOR;
    this.timers = "due" + PrefixedStore.SEPARATOR + this.topic;
    this.openIds = "open" + PrefixedStore.SEPARATOR + this.topic;
    instances.keys(this.topic).forEach(key -> ids.add(key.substring(this.topic.length())));
    try (var found = store.range(openIds, PrefixedStore.end(openIds))) {
      found.forEachRemaining(
          entry -> open.put(entry.key.substring(openIds.length()), Arrays.equals(entry.value, ACTIVE)));
    }
  }

  /** An instance whose timer is set to a reading of the {@link GapFreeClock}. */
  record Timer(String id, long dueAt) {}

  /** Timers that are due, the earliest; fewer than {@code most} where no other is. */
  List<Timer> due(long millis, int most) {
    var due = new ArrayList<Timer>();
    if (millis < earliestDue) {
      return due;
    }
    try (var found = store.range(timerKey(earliestDue), timers + LAST)) {
      earliestDue = Long.MAX_VALUE;
      while (due.size() < most && found.hasNext()) {
        var timer = timer(found.next().key);
        earliestDue = Math.min(earliestDue, timer.dueAt());
        if (timer.dueAt() > millis) {
          break;
        }
        due.add(timer);
      }
    }
    return due;
  }

  /** The timers of one resource that are due, earliest first. */
  List<Timer> dueOf(String key, long millis) {
    var due = new ArrayList<Timer>();
    forEachOf(key, instance -> {
      if (instance.getDue() != null && instance.getDue() <= millis) {
        due.add(new Timer(id(instance), instance.getDue()));
      }
    });
    due.sort(Comparator.comparingLong(Timer::dueAt).thenComparing(Timer::id));
    return due;
  }

  /** Null where there is no instance of that id any more. */
  @Nullable
  StoredAlertInstance get(String id) {
    return instances.get(topic + id);
  }

  /** The instance of a rule and fingerprint; a new one where there is none. */
  StoredAlertInstance find(String key, String rule, String fingerprint) {
    var id = id(key, rule, fingerprint);
    var found = ids.contains(id) ? get(id) : null;
    return found == null
        ? StoredAlertInstance.newBuilder().setKey(key).setRule(rule).setFingerprint(fingerprint).build()
        : found;
  }

  /** @param dueBefore what its timer was set to until now */
  void put(StoredAlertInstance instance, @Nullable Long dueBefore) {
    var id = id(instance);
    ids.add(id);
    instances.put(topic + id, instance);
    moveTimer(id, dueBefore, instance.getDue());
    switch (AlertInstance.read(instance)) {
      case Active active -> setOpen(id, true);
      case Armed armed -> setOpen(id, false);
      case null, default -> setOver(id);
    }
  }

  void delete(StoredAlertInstance instance) {
    var id = id(instance);
    ids.remove(id);
    instances.delete(topic + id);
    moveTimer(id, instance.getDue(), null);
    setOver(id);
  }

  private void setOpen(String id, boolean isActive) {
    var before = open.put(id, isActive);
    if (before == null || before != isActive) {
      store.put(openIds + id, isActive ? ACTIVE : ARMED);
    }
  }

  private void setOver(String id) {
    if (open.remove(id) != null) {
      store.delete(openIds + id);
    }
  }

  /** All of one resource; the visitor may change and delete them. */
  void forEachOf(String key, Consumer<StoredAlertInstance> visitor) {
    if (hasAny(key)) {
      instances.forEach(topic + prefix(key), (id, instance) -> visitor.accept(instance));
    }
  }

  /** All that are pending, firing or armed; the visitor may change and delete them. */
  void forEachOpen(Consumer<StoredAlertInstance> visitor) {
    for (var id : List.copyOf(open.keySet())) {
      var instance = get(id);
      if (instance != null) {
        visitor.accept(instance);
      }
    }
  }

  private boolean hasAny(String key) {
    var prefix = prefix(key);
    var first = ids.ceiling(prefix);
    return first != null && first.startsWith(prefix);
  }

  /** Whether an instance of one resource is pending, firing or armed. */
  boolean hasOpen(String key) {
    if (open.isEmpty()) {
      return false;
    }
    var prefix = prefix(key);
    var first = open.ceilingKey(prefix);
    return first != null && first.startsWith(prefix);
  }

  /** Whether a condition of one resource is pending or firing. */
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
    if (from != null && !from.equals(to)) {
      store.delete(timerKey(from) + id);
    }
    if (to != null && !to.equals(from)) {
      earliestDue = Math.min(earliestDue, Math.max(0, to));
      store.put(timerKey(to) + id, PRESENT);
    }
  }

  private Timer timer(String key) {
    var rest = key.substring(timers.length());
    var end = rest.indexOf(PrefixedStore.SEPARATOR);
    return new Timer(rest.substring(end + 1), Long.parseLong(rest.substring(0, end)));
  }

  private String timerKey(long dueAt) {
    return timers + DueQueue.sortable(Math.max(0, dueAt), 19) + PrefixedStore.SEPARATOR;
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
