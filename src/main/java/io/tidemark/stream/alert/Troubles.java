package io.tidemark.stream.alert;

import io.tidemark.event.Trouble;
import io.tidemark.topic.Registry;
import java.util.List;
import java.util.function.Consumer;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** What became of each rule and fingerprint on one topic, each with its timer. */
final class Troubles {

  private final String topic;
  private final Shelf<Trouble> shelf;
  private final Timers timers;

  Troubles(KeyValueStore<String, byte[]> store, String topic, Registry registry) {
    this.topic = topic + Shelf.MARK;
    this.shelf = new Shelf<>(store, "trouble", Trouble.class, registry);
    this.timers = new Timers(store, topic);
  }

  /** Those whose timers are due, the longest due first. */
  List<Timers.Timer> due(long by) {
    return timers.due(by);
  }

  /** Null where there is none of that id any more. */
  @Nullable
  Trouble get(String id) {
    return shelf.get(topic + id);
  }

  /** That of a rule and fingerprint; one of which nothing has become yet where there is none. */
  Trouble find(String key, String rule, String fingerprint) {
    var found = get(id(key, rule, fingerprint));
    return found == null
        ? Trouble.newBuilder().setKey(key).setRule(rule).setFingerprint(fingerprint).build()
        : found;
  }

  /** @param dueBefore what its timer was set to until now */
  void put(Trouble trouble, @Nullable Long dueBefore) {
    var id = id(trouble);
    shelf.put(topic + id, trouble);
    timers.move(id, dueBefore, trouble.getDue());
  }

  void delete(Trouble trouble) {
    var id = id(trouble);
    shelf.delete(topic + id);
    timers.move(id, trouble.getDue(), null);
  }

  /** All of one resource. */
  void ofKey(String key, Consumer<Trouble> taker) {
    shelf.each(topic + part(key), (id, trouble) -> taker.accept(trouble));
  }

  /** Whether a condition of one resource is pending or firing. */
  boolean isUnderWay(String key) {
    return shelf.any(topic + part(key), trouble -> Court.isUnderWay(Lives.read(trouble)));
  }

  /** All of the topic. */
  void all(Consumer<Trouble> taker) {
    shelf.each(topic, (id, trouble) -> taker.accept(trouble));
  }

  private static String id(Trouble trouble) {
    return id(trouble.getKey(), trouble.getRule(), trouble.getFingerprint());
  }

  private static String id(String key, String rule, String fingerprint) {
    return part(key) + rule + Shelf.MARK + fingerprint;
  }

  private static String part(String key) {
    return key.replace(Shelf.MARK, '\1') + Shelf.MARK;
  }
}
