package io.tidemark.capture.poll;

import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The health of a source's polling: when each target was last observed, and which failure occurred last. */
public final class PollHealth {

  /**
   * Number of failed polls in a row, of one target or of the source, that count as a problem. Fewer failures count as a
   * problem only if the answer suggests that a retry does not help.
   */
  private static final int TOO_MANY = 3;

  /**
   * Time at which each periodic target was last observed, or from which it counts as unobserved if it never was, by
   * name.
   */
  private final Map<String, Instant> observed = new HashMap<>();
  /** The targets whose newest poll failed, by name. All days of a coin's history count as one target. */
  private final Map<String, FailingTarget> failing = new HashMap<>();
  private @Nullable String lastError;
  private @Nullable Instant lastErrorAt;
  private int failuresInARow;

  /** @param unanswered whether the newest poll got no page of the target */
  private record FailingTarget(int failures, boolean looksFinal, boolean unanswered, Failure failure, Instant at) {
    boolean isProblem() {
      return looksFinal || failures >= TOO_MANY;
    }
  }

  /** The target that has been unobserved for the longest time. */
  public record OldestTarget(String target, Instant at) {}

  /**
   * Adds a target that is polled periodically from now on.
   *
   * @param at time at which it was last observed, or from which it counts as unobserved if it never was
   */
  public synchronized void watch(String target, Instant at) {
    observed.putIfAbsent(target, at);
  }

  /** Removes a target that is no longer polled. */
  public synchronized void unwatch(String target) {
    failing.remove(target);
    observed.remove(target);
  }

  /**
   * Records a poll, successful or not. A confirmed "not found" counts as successful. A poll of a target that was
   * removed meanwhile does not count.
   *
   * @param understood whether the whole answer was readable, even if it was rejected because of its age
   */
  public synchronized void recordPoll(Snapshot snapshot, boolean understood) {
    var history = snapshot.target().query() instanceof Query.CoinHistory day ? day.id() : null;
    var target = history == null ? snapshot.target().name() : "history of " + history;
    if (history == null && !observed.containsKey(target)) {
      return;
    }
    var failure = snapshot.failure() != null || understood ? snapshot.failure()
        : new Failure.Unreadable(target + ": its answer is unreadable; 'tidemark dead-letters' shows it", new byte[0],
            0,
            Map.of());
    if (failure == null || (failure instanceof Failure.NotFound unknown && unknown.isConfirmed())) {
      failing.remove(target);
      observed.replace(target, snapshot.observedAt());
      failuresInARow = 0;
      return;
    }
    var before = failing.get(target);
    failing.put(target, new FailingTarget(before == null ? 1 : before.failures() + 1, failure.looksFinal(),
        snapshot.pages().isEmpty(), failure, snapshot.observedAt()));
    lastError = failure.getMessage();
    lastErrorAt = snapshot.observedAt();
    failuresInARow++;
  }

  /**
   * Returns the target that has been unobserved for the longest time, or null if no target is polled. A target whose
   * newest poll got no page, because of a failure that looks final, is returned only if there is no other target. The
   * method reads all targets, because reading them once a second costs less than the memory of a sorted index.
   */
  public synchronized @Nullable OldestTarget oldest() {
    return observed.entrySet().stream().map(each -> new OldestTarget(each.getKey(), each.getValue()))
        .min(Comparator.<OldestTarget, Boolean>comparing(each -> looksFinal(each.target()))
            .thenComparing(OldestTarget::at).thenComparing(OldestTarget::target))
        .orElse(null);
  }

  private boolean looksFinal(String target) {
    var found = failing.get(target);
    return found != null && found.looksFinal() && found.unanswered();
  }

  /** Returns the message of the last failure, or null if no poll has failed yet. */
  public synchronized @Nullable String lastError() {
    return lastError;
  }

  public synchronized @Nullable Instant lastErrorAt() {
    return lastErrorAt;
  }

  /**
   * Returns whether the source as a whole fails, because several polls in a row failed, or more than half of its
   * targets failed several times or in a way that looks final.
   */
  public synchronized boolean isDegraded() {
    return failuresInARow >= TOO_MANY
        || 2 * failing.values().stream().filter(FailingTarget::isProblem).count() > observed.size();
  }

  /**
   * Returns a sentence with the number of failing targets and the latest failure. Unless the source is degraded, only
   * targets that failed several times, or whose failure looks final, count. Returns null if no target counts.
   */
  public synchronized @Nullable String problem() {
    var degraded = isDegraded();
    var problems = failing.values().stream().filter(each -> each.isProblem() || degraded).toList();
    return problems.stream().max(Comparator.comparing(FailingTarget::at))
        .map(newest -> "%d of %d targets fail and are retried; the latest failure: %s".formatted(problems.size(),
            Math.max(problems.size(), observed.size()), newest.failure().getMessage()))
        .orElse(null);
  }
}
