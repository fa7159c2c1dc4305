package io.tidemark.stream.alert;

import io.tidemark.event.Control;
import io.tidemark.topic.Registry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What control said is in force: rules, or silences. A word is in force for records stamped later than {@link #NOTICE}
 * after it, so that all turn to it at the same record, even where control is read a little later than the others.
 */
final class Book {

  static final Duration NOTICE = Duration.ofSeconds(2);

  private static final String NOW = "now" + Shelf.MARK;
  private static final String THEN = "then" + Shelf.MARK;

  private final String kind;
  private final Shelf<Control> shelf;
  private final Deque<Control> announced = new ArrayDeque<>();
  private @Nullable Control inForce;

  /**
   * @param kind {@code rules} or {@code silences}
   * @param topic whose book it is: each keeps its own, as each turns to a word by its own records
   */
  Book(KeyValueStore<String, byte[]> store, String kind, String topic, Registry registry) {
    this.kind = kind;
    this.shelf = new Shelf<>(store, kind + Shelf.MARK + topic, Control.class, registry);
    this.inForce = shelf.get(NOW);
    shelf.each(THEN, (key, word) -> announced.add(word));
  }

  /** Hears what control says; what was heard before is only repeated. */
  void hear(Control word) {
    var newest = announced.isEmpty() ? inForce : announced.peekLast();
    if (word.getKind().equals(kind) && (newest == null || newest.getVersion() != word.getVersion())) {
      announced.add(word);
      shelf.put(key(word), word);
    }
  }

  /** From when on the next word is in force; the first of all is so at once. Null where none is announced. */
  @Nullable
  Instant turn() {
    var next = announced.peek();
    return next == null ? null : inForce == null ? next.getAt() : next.getAt().plus(NOTICE);
  }

  /** Turns to the next word. */
  Control next() {
    var next = announced.remove();
    shelf.delete(key(next));
    shelf.put(NOW, next);
    inForce = next;
    return next;
  }

  @Nullable
  Control inForce() {
    return inForce;
  }

  private static String key(Control word) {
    return THEN + "%019d".formatted(word.getAt().toEpochMilli());
  }
}
