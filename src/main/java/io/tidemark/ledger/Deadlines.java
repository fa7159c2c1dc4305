package io.tidemark.ledger;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.ChangeSet;
import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.ledger.DeadlineQueue.ResourceName;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Finds the resources that change without a snapshot: withheld values become due, a resource is not visible any more or
 * is to be evicted, a target is stale. Of the ledger's thread.
 */
public final class Deadlines {
  private static final String TARGET = "target";

  /** States that are read at once, in about a tenth of a second. */
  private static final int SLICE = 5_000;

  private final ChangeDetector detection;
  private final ResourceStateStore store;
  private final DeadlineQueue queue;
  /** Kinds of resources whose restored states are not all read. */
  private final Deque<String> unread = new ArrayDeque<>();
  private @Nullable String lastRead;

  /** Schedules the known targets. {@link #readNext} schedules their resources. */
  public Deadlines(ChangeDetector detection, ResourceStateStore store, Iterable<String> resources) {
    this.detection = detection;
    this.store = store;
    this.queue = store.deadlines();
    resources.forEach(unread::add);
    store.forEachTarget(target -> put(TARGET, target.getTarget(), detection.staleAt(target)));
  }

  /**
   * Schedules the next restored states, in about a tenth of a second: polling need not wait until a million are read.
   * Returns false when all are.
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

  /** Schedules the resources of a change set, and its target. */
  public void note(ChangeSet outcome, Instant now) {
    outcome.updates().forEach(entry -> note(entry, now));
    put(TARGET, outcome.targetState().getTarget(), detection.staleAt(outcome.targetState()));
  }

  /** Schedules a resource after an update. */
  public void note(ResourceUpdate entry, Instant now) {
    if (entry.state() != null) {
      note(entry.resource(), entry.key(), entry.state(), now);
    }
  }

  private void note(String resource, String key, SpecificRecord state, Instant now) {
    put(resource, key, detection.nextDeadline(resource, state, store, now));
  }

  /** A deadline that is too early does no harm: the resource is checked and scheduled again. */
  private void put(String resource, String key, @Nullable Instant at) {
    if (at != null) {
      queue.put(new ResourceName(resource, key), at);
    }
  }

  /** Returns the next update that is due; null where none is. To be called until it is null. */
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

  /** Schedules the resources of a stale target, which may not be visible any more. */
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
