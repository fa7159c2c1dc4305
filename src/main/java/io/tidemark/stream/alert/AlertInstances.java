package io.tidemark.stream.alert;

import io.tidemark.event.StoredAlertInstance;
import io.tidemark.topic.SchemaRegistry;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** What became of each rule and fingerprint on one topic, each with its timer. */
final class AlertInstances {

  private final String topic;
  private final StoreSection<StoredAlertInstance> shelf;
  private final Timers timers;

  AlertInstances(KeyValueStore<String, byte[]> store, String topic, SchemaRegistry registry) {
    this.topic = topic + StoreSection.SEPARATOR;
    this.shelf = new StoreSection<>(store, "trouble", StoredAlertInstance.class, registry);
    this.timers = new Timers(store, topic);
  }

  /** Those whose timers are due, the longest due first. */
  List<Timers.Timer> due(long by) {
    return timers.due(by);
  }

  /** Null where there is none of that id any more. */
  @Nullable
  StoredAlertInstance get(String id) {
    return shelf.get(topic + id);
  }

  /** That of a rule and fingerprint; one of which nothing has become yet where there is none. */
  StoredAlertInstance find(String key, String rule, String fingerprint) {
    var found = get(id(key, rule, fingerprint));
    return found == null
        ? StoredAlertInstance.newBuilder().setKey(key).setRule(rule).setFingerprint(fingerprint).build()
        : found;
  }

  /** @param dueBefore what its timer was set to until now */
  void put(StoredAlertInstance trouble, @Nullable Long dueBefore) {
    var id = id(trouble);
    shelf.put(topic + id, trouble);
    timers.move(id, dueBefore, trouble.getDue());
  }

  void delete(StoredAlertInstance trouble) {
    var id = id(trouble);
    shelf.delete(topic + id);
    timers.move(id, trouble.getDue(), null);
  }

  /** All of one resource. */
  void ofKey(String key, Consumer<StoredAlertInstance> taker) {
    shelf.each(topic + part(key), (id, trouble) -> taker.accept(trouble));
  }

  /** Whether a condition of one resource is pending or firing. */
  boolean isUnderWay(String key) {
    return shelf.any(topic + part(key), trouble -> AlertEvaluator.isUnderWay(Lives.read(trouble)));
  }

  /** All of the topic. */
  void all(Consumer<StoredAlertInstance> taker) {
    shelf.each(topic, (id, trouble) -> taker.accept(trouble));
  }

  private static String id(StoredAlertInstance trouble) {
    return id(trouble.getKey(), trouble.getRule(), trouble.getFingerprint());
  }

  private static String id(String key, String rule, String fingerprint) {
    return part(key) + rule + StoreSection.SEPARATOR + fingerprint;
  }

  private static String part(String key) {
    return key.replace(StoreSection.SEPARATOR, '\1') + StoreSection.SEPARATOR;
  }
}
