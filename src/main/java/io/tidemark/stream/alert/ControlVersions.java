package io.tidemark.stream.alert;

import io.tidemark.event.Control;
import io.tidemark.topic.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What control said is in force: rules, or silences. A word is in force for records stamped later than {@link #ACTIVATION_DELAY}
 * after it, so that all turn to it at the same record, even where control is read a little later than the others.
 */
final class ControlVersions {

  static final Duration ACTIVATION_DELAY = Duration.ofSeconds(2);

  private static final String NOW = "now" + StoreSection.SEPARATOR;
  private static final String THEN = "then" + StoreSection.SEPARATOR;

  private final String kind;
  private final StoreSection<Control> shelf;
  private final Deque<Control> announced = new ArrayDeque<>();
  private @Nullable Control active;

  /**
   * @param kind {@code rules} or {@code silences}
   * @param topic whose book it is: each keeps its own, as each turns to a word by its own records
   */
  ControlVersions(KeyValueStore<String, byte[]> store, String kind, String topic, SchemaRegistry registry) {
    this.kind = kind;
    this.shelf = new StoreSection<>(store, kind + StoreSection.SEPARATOR + topic, Control.class, registry);
    this.active = shelf.get(NOW);
    shelf.each(THEN, (key, word) -> announced.add(word));
  }

  /** Hears what control says; what was heard before is only repeated. */
  void announce(Control word) {
    var newest = announced.isEmpty() ? active : announced.peekLast();
    if (word.getKind().equals(kind) && (newest == null || newest.getVersion() != word.getVersion())) {
      announced.add(word);
      shelf.put(key(word), word);
    }
  }

  /** From when on the next word is in force; the first of all is so at once. Null where none is announced. */
  @Nullable
  Instant nextFrom() {
    var next = announced.peek();
    return next == null ? null : active == null ? next.getAt() : next.getAt().plus(ACTIVATION_DELAY);
  }

  /** Turns to the next word. */
  Control activateNext() {
    var next = announced.remove();
    shelf.delete(key(next));
    shelf.put(NOW, next);
    active = next;
    return next;
  }

  @Nullable
  Control active() {
    return active;
  }

  private static String key(Control word) {
    return THEN + "%019d".formatted(word.getAt().toEpochMilli());
  }
}
