package io.tidemark.ledger;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.ChangeSet;
import io.tidemark.change.ResourceUpdate;
import io.tidemark.ledger.DeadlineQueue.ResourceName;
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

  private final ChangeDetector detection;
  private final ResourceStateStore store;
  private final DeadlineQueue queue;
  /** Resources of which not all states that were there at the start are read. */
  private final Deque<String> unread = new ArrayDeque<>();
  private @Nullable String lastRead;

  /** Takes up the targets that are known; their resources are for {@link #readNext}. */
  public Deadlines(ChangeDetector detection, ResourceStateStore store, Iterable<String> resources) {
    this.detection = detection;
    this.store = store;
    this.queue = store.deadlines();
    resources.forEach(unread::add);
    store.forEachTarget(target -> put(TARGET, target.getTarget(), detection.staleAt(target)));
  }

  /**
   * Takes up the next of the states that were there at the start, a tenth of a second's work: sight need not wait until
   * a million are read. False when all are.
   */
  public boolean readNext(Instant now) {
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
  public void note(ChangeSet outcome, Instant now) {
    outcome.updates().forEach(entry -> note(entry, now));
    put(TARGET, outcome.targetState().getTarget(), detection.staleAt(outcome.targetState()));
  }

  /** Notes what became of a resource. */
  public void note(ResourceUpdate entry, Instant now) {
    if (entry.state() != null) {
      note(entry.resource(), entry.key(), entry.state(), now);
    }
  }

  private void note(String resource, String key, SpecificRecord state, Instant now) {
    put(resource, key, detection.nextDeadline(resource, state, store, now));
  }

  /** The earliest counts: whatever comes too early is looked at again. */
  private void put(String resource, String key, @Nullable Instant at) {
    if (at != null) {
      queue.put(new ResourceName(resource, key), at);
    }
  }

  /** The next entry that is due by now; null where none is. To be called until it is null. */
  public @Nullable ResourceUpdate poll(Instant now) {
    for (var next = queue.poll(now); next != null; next = queue.poll(now)) {
      var entry = due(next, now);
      if (entry != null) {
        return entry;
      }
    }
    return null;
  }

  private @Nullable ResourceUpdate due(ResourceName next, Instant now) {
    if (next.resource().equals(TARGET)) {
      stale(next.key(), now);
      return null;
    }
    SpecificRecord state = store.find(next.resource(), next.key());
    ResourceUpdate entry = state == null ? null : detection.onDeadline(next.resource(), state, store, now);
    if (entry == null && state != null) {
      note(next.resource(), next.key(), state, now);
    }
    return entry;
  }

  /** What a target that is not looked at any more showed may be out of sight. */
  private void stale(String name, Instant now) {
    var target = store.targetState(name);
    if (target != null && detection.staleAt(target).isAfter(now)) {
      put(TARGET, name, detection.staleAt(target));
    } else if (target != null) {
      detection.resourcesOf(target, store).forEach((key, resource) -> {
        SpecificRecord state = store.find(resource, key);
        if (state != null) {
          note(resource, key, state, now);
        }
      });
    }
  }
}
