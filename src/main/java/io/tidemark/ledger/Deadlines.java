package io.tidemark.ledger;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * When resources want attention that no sweep need bring: held values are due, a resource is out of sight or to be
 * forgotten, a target is not looked at any more. One thread's: the ledger's.
 */
public final class Deadlines {
  private static final String TARGET = "target";

  private record Deadline(Instant at, String resource, String key) {}

  private final Detection detection;
  private final Store store;
  private final PriorityQueue<Deadline> queue = new PriorityQueue<>(Comparator.comparing(Deadline::at));
  private final Map<String, Instant> next = new HashMap<>();

  /** Takes up what is known: every state is read once. */
  public Deadlines(Detection detection, Store store, Iterable<String> resources, Instant now) {
    this.detection = detection;
    this.store = store;
    resources.forEach(resource -> store.forEach(resource, (key, state) -> note(resource, key, state, now)));
    store.forEachTarget(target -> put(TARGET, target.getTarget(), detection.staleAt(target)));
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
    String name = resource + " " + key;
    Instant known = next.get(name);
    if (at != null && (known == null || at.isBefore(known))) {
      next.put(name, at);
      queue.add(new Deadline(at, resource, key));
    }
  }

  /** The next entry that is due by now; null where none is. To be called until it is null. */
  public @Nullable Entry poll(Instant now) {
    while (!queue.isEmpty() && !queue.peek().at().isAfter(now)) {
      Deadline deadline = queue.remove();
      Entry entry = next.remove(deadline.resource() + " " + deadline.key(), deadline.at()) ? due(deadline, now) : null;
      if (entry != null) {
        return entry;
      }
    }
    return null;
  }

  private @Nullable Entry due(Deadline deadline, Instant now) {
    if (deadline.resource().equals(TARGET)) {
      stale(deadline.key(), now);
      return null;
    }
    SpecificRecord state = store.find(deadline.resource(), deadline.key());
    Entry entry = state == null ? null : detection.expire(deadline.resource(), state, store, now);
    if (entry == null && state != null) {
      note(deadline.resource(), deadline.key(), state, now);
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
