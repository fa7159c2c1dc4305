package io.tidemark.ledger;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.ledger.Agenda.Name;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * When resources want attention that no sweep need bring: held values are due, a resource is out of sight or to be
 * forgotten, a target is not looked at any more. One thread's: the ledger's.
 */
public final class Deadlines {
  private static final String TARGET = "target";

  /** States that are read at once: a tenth of a second's work. */
  private static final int SLICE = 5_000;

  private final Detection detection;
  private final Store store;
  private final Agenda agenda;
  /** Resources of which not all states that were there at the start are read. */
  private final Deque<String> unread = new ArrayDeque<>();
  private @Nullable String lastRead;

  /** Takes up the targets that are known; their resources are for {@link #readOn}. */
  public Deadlines(Detection detection, Store store, Iterable<String> resources) {
    this.detection = detection;
    this.store = store;
    this.agenda = store.agenda();
    resources.forEach(unread::add);
    store.forEachTarget(target -> put(TARGET, target.getTarget(), detection.staleAt(target)));
  }

  /**
   * Takes up the next of the states that were there at the start, a tenth of a second's work: sight need not wait until
   * a million are read. False when all are.
   */
  public boolean readOn(Instant now) {
    while (!unread.isEmpty()) {
      var resource = unread.element();
      lastRead = store.visit(resource, lastRead, SLICE, (key, state) -> note(resource, key, state, now));
      if (lastRead != null) {
        return true;
      }
      unread.remove();
    }
    return false;
  }

  /** Notes what an outcome brought. */
  public void note(Outcome outcome, Instant now) {
    outcome.entries().forEach(entry -> note(entry, now));
    put(TARGET, outcome.target().getTarget(), detection.staleAt(outcome.target()));
  }

  /** Notes what became of a resource. */
  public void note(Entry entry, Instant now) {
    if (entry.state() != null) {
      note(entry.resource(), entry.key(), entry.state(), now);
    }
  }

  private void note(String resource, String key, SpecificRecord state, Instant now) {
    put(resource, key, detection.due(resource, state, store, now));
  }

  /** The earliest counts: whatever comes too early is looked at again. */
  private void put(String resource, String key, @Nullable Instant at) {
    if (at != null) {
      agenda.put(new Name(resource, key), at);
    }
  }

  /** The next entry that is due by now; null where none is. To be called until it is null. */
  public @Nullable Entry poll(Instant now) {
    for (var next = agenda.poll(now); next != null; next = agenda.poll(now)) {
      var entry = due(next, now);
      if (entry != null) {
        return entry;
      }
    }
    return null;
  }

  private @Nullable Entry due(Name next, Instant now) {
    if (next.resource().equals(TARGET)) {
      stale(next.key(), now);
      return null;
    }
    SpecificRecord state = store.find(next.resource(), next.key());
    Entry entry = state == null ? null : detection.expire(next.resource(), state, store, now);
    if (entry == null && state != null) {
      note(next.resource(), next.key(), state, now);
    }
    return entry;
  }

  /** What a target that is not looked at any more showed may be out of sight. */
  private void stale(String name, Instant now) {
    var target = store.target(name);
    if (target != null && detection.staleAt(target).isAfter(now)) {
      put(TARGET, name, detection.staleAt(target));
    } else if (target != null) {
      detection.shownBy(target, store).forEach((key, resource) -> {
        SpecificRecord state = store.find(resource, key);
        if (state != null) {
          note(resource, key, state, now);
        }
      });
    }
  }
}
