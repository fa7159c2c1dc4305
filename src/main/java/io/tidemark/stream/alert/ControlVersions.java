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
 * The versions of the rules, or of the silences, that control announced: the active one and those to come.
 *
 * <p>A version is active for records stamped later than {@link #ACTIVATION_DELAY} after it, so that all tasks change at
 * the same record, even where control is read a little later than the other topics.
 */
final class ControlVersions {

  static final Duration ACTIVATION_DELAY = Duration.ofSeconds(2);

  private static final String ACTIVE = "active" + StoreSection.SEPARATOR;
  private static final String ANNOUNCED = "announced" + StoreSection.SEPARATOR;

  private final String kind;
  private final StoreSection<Control> section;
  private final Deque<Control> announced = new ArrayDeque<>();
  private @Nullable Control active;

  /**
   * @param kind {@code rules} or {@code silences}
   * @param topic of the rules: each topic has its own versions, as it changes at its own records
   */
  ControlVersions(KeyValueStore<String, byte[]> store, String kind, String topic, SchemaRegistry registry) {
    this.kind = kind;
    this.section = new StoreSection<>(store, kind + StoreSection.SEPARATOR + topic, Control.class, registry);
    this.active = section.get(ACTIVE);
    section.forEach(ANNOUNCED, (key, control) -> announced.add(control));
  }

  /** Adds a new version; a repeated one changes nothing. */
  void announce(Control control) {
    var newest = announced.isEmpty() ? active : announced.peekLast();
    if (control.getKind().equals(kind) && (newest == null || newest.getVersion() != control.getVersion())) {
      announced.add(control);
      section.put(key(control), control);
    }
  }

  /** When the next version becomes active, the first of all at once; null where none is announced. */
  @Nullable
  Instant nextFrom() {
    var next = announced.peek();
    return next == null ? null : active == null ? next.getAt() : next.getAt().plus(ACTIVATION_DELAY);
  }

  void activateNext() {
    var next = announced.remove();
    section.delete(key(next));
    section.put(ACTIVE, next);
    active = next;
  }

  @Nullable
  Control active() {
    return active;
  }

  private static String key(Control control) {
    return ANNOUNCED + "%019d".formatted(control.getAt().toEpochMilli());
  }
}
