package io.tidemark.stream.alert;

import com.google.common.collect.Streams;
import io.tidemark.event.StoredAlertInstance;
import io.tidemark.stream.alert.AlertInstance.Active;
import io.tidemark.topic.SchemaRegistry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The alert instances of one topic in the task's store, each by record key, rule and fingerprint, and their timers. */
final class AlertInstances {

  private static final byte[] PRESENT = {1};

  private final KeyValueStore<String, byte[]> store;
  private final PrefixedStore<StoredAlertInstance> instances;
  private final String topic;
  private final String timers;

  AlertInstances(KeyValueStore<String, byte[]> store, String topic, SchemaRegistry registry) {
    this.store = store;
    this.instances = new PrefixedStore<>(store, "instance", StoredAlertInstance.class, registry);
    this.topic = topic + PrefixedStore.SEPARATOR;
    this.timers = "due" + PrefixedStore.SEPARATOR + this.topic;
  }

  /** An instance whose timer is set to a reading of the {@link GapFreeClock}. */
  record Timer(String id, long dueAt) {}

  /** Timers that are due, the earliest; fewer than {@code most} where no other is. */
  List<Timer> due(long millis, int most) {
    try (var found = store.range(timers, timerKey(millis + 1))) {
      return Streams.stream(found).limit(most).map(entry -> timer(entry.key)).toList();
    }
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
    var found = get(id(key, rule, fingerprint));
    return found == null
        ? StoredAlertInstance.newBuilder().setKey(key).setRule(rule).setFingerprint(fingerprint).build()
        : found;
  }

  /** @param dueBefore what its timer was set to until now */
  void put(StoredAlertInstance instance, @Nullable Long dueBefore) {
    var id = id(instance);
    instances.put(topic + id, instance);
    moveTimer(id, dueBefore, instance.getDue());
  }

  void delete(StoredAlertInstance instance) {
    var id = id(instance);
    instances.delete(topic + id);
    moveTimer(id, instance.getDue(), null);
  }

  /** All of one resource; the visitor may change and delete them. */
  void forEachOf(String key, Consumer<StoredAlertInstance> visitor) {
    instances.forEach(topic + prefix(key), (id, instance) -> visitor.accept(instance));
  }

  /** All of the topic; the visitor may change and delete them. */
  void forEach(Consumer<StoredAlertInstance> visitor) {
    instances.forEach(topic, (id, instance) -> visitor.accept(instance));
  }

  /** Whether a condition of one resource is pending or firing. */
  boolean hasActive(String key) {
    return instances.any(topic + prefix(key), instance -> AlertInstance.read(instance) instanceof Active);
  }

  private void moveTimer(String id, @Nullable Long from, @Nullable Long to) {
    if (from != null && !from.equals(to)) {
      store.delete(timerKey(from) + id);
    }
    if (to != null && !to.equals(from)) {
      store.put(timerKey(to) + id, PRESENT);
    }
  }

  private Timer timer(String key) {
    var rest = key.substring(timers.length());
    var end = rest.indexOf(PrefixedStore.SEPARATOR);
    return new Timer(rest.substring(end + 1), Long.parseLong(rest.substring(0, end)));
  }

  private String timerKey(long dueAt) {
    return timers + "%019d".formatted(Math.max(0, dueAt)) + PrefixedStore.SEPARATOR;
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
