package io.tidemark.capture.ledger;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.DeadlineQueue.ResourceName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiPredicate;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The deadlines at which something changes without a snapshot: a withheld value becomes due, a resource becomes not
 * visible or is evicted, or a target becomes stale or is forgotten because nobody watches it. Confined to the ledger's
 * thread.
 */
public final class Deadlines {
  private static final String TARGET = "target";
  private static final String RETENTION = "target-retention";
  /**
   * Pause before the next check of a target that would be forgotten if it were not watched, because it was not polled
   * for long, such as a day of a coin. A resource that such a target keeps is checked after the same pause.
   */
  private static final Duration WATCHED_PAUSE = Duration.ofDays(1);
  /** Maximum number of targets that are forgotten in one transaction. */
  static final int MOST_FORGOTTEN = 100;
  /**
   * Number of deadlines after which {@link #poll} pauses. When the service is away, all resources become not visible
   * at nearly the same time, and a million updates are too many for one transaction.
   */
  static final int MOST_DUE = 5_000;

  /**
   * Maximum number of states of one kind that a call of {@link #readNext} reads. Reading them takes about a tenth of a
   * second.
   */
  private static final int SLICE = 5_000;

  private final ChangeDetector detector;
  private final ResourceStateStore store;
  private final BiPredicate<String, Instant> isWatched;
  private final DeadlineQueue queue;
  /** Names of targets that are due to be forgotten. */
  private final Deque<String> unwatched = new ArrayDeque<>();
  /** Number of deadlines handled, and of checks queued for stale targets, since {@link #poll} last returned null. */
  private int handled;
  /** Whether {@link #poll} last paused before it had handled all that was due. */
  private boolean behind;

  /** Kinds of resources whose restored states are not all read yet. */
  private final Deque<String> unread = new ArrayDeque<>();
  /**
   * Key of the state that was read last, of the first kind in {@code unread}; null if no state of this kind was read.
   */
  private @Nullable String lastRead;

  /**
   * Queues, for each known target, the time at which it becomes stale. {@link #readNext} queues the deadlines of the
   * resources.
   *
   * @param isWatched returns whether the target with a given name is watched at a given time
   */
  public Deadlines(ChangeDetector detector, ResourceStateStore store, Iterable<String> resources,
      BiPredicate<String, Instant> isWatched) {
    this.detector = detector;
    this.store = store;
    this.isWatched = isWatched;
    this.queue = store.deadlines();
    resources.forEach(unread::add);
    store.forEachTarget(target -> put(TARGET, target.getTarget(), detector.staleAt(target)));
  }

  /**
   * Reads the next restored states, and queues the next deadline of each resource. A call takes about a tenth of a
   * second, so that polling need not wait until a million states are read. Returns false if no states are left to
   * read.
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

  /** Queues the next deadline of each resource that a change set updates, and of its target. */
  public void note(ChangeSet outcome, Instant now) {
    outcome.updates().forEach(update -> note(update, now));
    put(TARGET, outcome.targetState().getTarget(), detector.staleAt(outcome.targetState()));
  }

  /** Queues the next deadline of a resource after an update. */
  public void note(ResourceUpdate update, Instant now) {
    if (update.state() != null) {
      note(update.resource(), update.key(), update.state(), now);
    }
  }

  private void note(String resource, String key, SpecificRecord state, Instant now) {
    put(resource, key, detector.nextDeadline(resource, state, store, now));
  }

  /**
   * Queues a check of a resource or target at the given time, unless the time is null. A time that is too early does no
   * harm: the check then queues the next deadline.
   */
  private void put(String resource, String key, @Nullable Instant at) {
    if (at != null) {
      queue.put(new ResourceName(resource, key), at);
    }
  }

  /**
   * Returns the next update that is due, or null if no update is due or {@link #MOST_DUE} deadlines were handled since
   * the last null; the others stay due. Call this method until it returns null. Call
   * {@link #note(ResourceUpdate, Instant)} for each returned update, since this method has removed the resource's
   * deadline. Targets that are due to be forgotten are kept for {@link #pollUnwatched}.
   */
  public @Nullable ResourceUpdate poll(Instant now) {
    for (behind = true; handled < MOST_DUE; handled++) {
      var next = queue.poll(now);
      if (next == null) {
        behind = false;
        break;
      }
      var update = due(next, now);
      if (update != null) {
        handled++;
        return update;
      }
    }
    handled = 0;
    return null;
  }

  private @Nullable ResourceUpdate due(ResourceName next, Instant now) {
    if (next.resource().equals(TARGET)) {
      stale(next.key(), now);
      return null;
    }
    if (next.resource().equals(RETENTION)) {
      if (isForgotten(next.key(), now)) {
        unwatched.add(next.key());
      }
      return null;
    }
    SpecificRecord state = store.find(next.resource(), next.key());
    ResourceUpdate update = state == null ? null : detector.onDeadline(next.resource(), state, store, now);
    if (update == null && state != null) {
      note(next.resource(), next.key(), state, now);
    } else if (update != null && update.state() == null && state != null && isAskedFor(next.resource(), state, now)) {
      put(next.resource(), next.key(), now.plus(WATCHED_PAUSE));
      return null;
    }
    return update;
  }

  /**
   * Returns whether a target of the resource is watched, if the resource is a ranking or a coin's day, and false for
   * other resources. Such a resource must stay even if the states of its targets were lost, so that none of these
   * targets is known.
   */
  private boolean isAskedFor(String resource, SpecificRecord state, Instant now) {
    return detector.keptBy(resource, state).stream().anyMatch(target -> isWatched.test(target, now));
  }

  /**
   * Queues a check of each resource of a stale target, since the resource may no longer be visible, and a check of
   * whether the target is due to be forgotten. If the target was observed again, only queues the time at which it
   * becomes stale. No check is queued for a time before {@code now}, so that a resource of many targets that are stale
   * by then is checked once.
   */
  private void stale(String name, Instant now) {
    var target = store.targetState(name);
    if (target != null && detector.staleAt(target).isAfter(now)) {
      put(TARGET, name, detector.staleAt(target));
    } else if (target != null) {
      var hidden = detector.earliestHiddenAt(target);
      var checkedAt = hidden.isAfter(now) ? hidden : now;
      ChangeDetector.resourcesOf(target, store).forEach((resource, keys) -> {
        keys.forEach(key -> put(resource, key, checkedAt));
        handled += keys.size();
      });
      put(RETENTION, name, detector.forgottenAt(target));
    }
  }

  /** Returns whether a target is due to be forgotten. If a known target is not, queues another check of it. */
  private boolean isForgotten(String name, Instant now) {
    var target = store.targetState(name);
    if (target == null) {
      return false;
    }
    var at = detector.forgottenAt(target);
    if (!at.isAfter(now) && !isWatched.test(name, now)) {
      return true;
    }
    put(RETENTION, name, at.isAfter(now) ? at : now.plus(WATCHED_PAUSE));
    return false;
  }

  /**
   * Removes and returns the names of at most {@link #MOST_FORGOTTEN} targets that {@link #poll} found due to be
   * forgotten. Leaves out targets that are no longer due, for example because they are watched again. Returns none if
   * other deadlines are still due, since the resources of a target become not visible before it is forgotten.
   */
  public List<String> pollUnwatched(Instant now) {
    var found = new ArrayList<String>();
    if (behind) {
      return found;
    }
    for (var left = Math.min(MOST_FORGOTTEN, unwatched.size()); left > 0; left--) {
      var name = unwatched.remove();
      if (isForgotten(name, now)) {
        found.add(name);
      }
    }
    return found;
  }
}
