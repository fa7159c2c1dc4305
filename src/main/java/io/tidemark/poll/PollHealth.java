package io.tidemark.poll;

import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How well a source is polled: when each target was last observed, and which failure occurred last. */
public final class PollHealth {

  /** Polls in a row that failed. */
  private static final int TOO_MANY = 3;

  private final Map<String, Instant> lastObservedAt = new HashMap<>();
  /** Names of the targets whose newest poll failed; true where nothing of it was answered and the answer looks final. */
  private final Map<String, Boolean> failing = new HashMap<>();
  private @Nullable String lastError;
  private @Nullable Instant lastErrorAt;
  private int failuresInARow;

  /** The target that was not observed for the longest time. */
  public record OldestTarget(String target, Instant at) {}

  /**
   * @param targets names of the targets that are polled periodically
   * @param since from when a target that was never observed is missing
   */
  public PollHealth(Collection<String> targets, Function<String, @Nullable Instant> lastObserved, Instant since) {
    targets.forEach(target -> {
      var at = lastObserved.apply(target);
      lastObservedAt.put(target, at == null ? since : at);
    });
  }

  /** A target is polled from now on. */
  public synchronized void watch(String target, Instant now) {
    lastObservedAt.putIfAbsent(target, now);
  }

  /** A target is not polled any more. */
  public synchronized void unwatch(String target) {
    lastObservedAt.remove(target);
    failing.remove(target);
  }

  /**
   * Records a poll, successful or not. A confirmed "not found" is an answer.
   *
   * @param understood whether the whole answer was readable
   */
  public synchronized void recordPoll(Snapshot snapshot, boolean understood) {
    var target = snapshot.target().query() instanceof Query.CoinHistory history
        ? "history of " + history.id()
        : snapshot.target().name();
    var failure = snapshot.failure() != null || understood ? snapshot.failure()
        : new Failure.Unreadable(target + ": its answer is unreadable; 'tidemark dead-letters' shows it", new byte[0],
            0,
            Map.of());
    if (failure == null || (failure instanceof Failure.NotFound unknown && unknown.isConfirmed())) {
      lastObservedAt.computeIfPresent(target, (name, before) -> snapshot.observedAt());
      failing.remove(target);
      failuresInARow = 0;
      return;
    }
    failing.put(target, failure.looksFinal() && snapshot.pages().isEmpty());
    lastError = failure.getMessage();
    lastErrorAt = snapshot.observedAt();
    failuresInARow++;
  }

  /** Of the targets whose answer does not look final, or of all where there is no other; null where none is polled. */
  public synchronized @Nullable OldestTarget oldest() {
    return lastObservedAt.entrySet().stream()
        .min(Comparator.comparing((Map.Entry<String, Instant> each) -> failing.getOrDefault(each.getKey(), false))
            .thenComparing(Map.Entry.comparingByValue()).thenComparing(Map.Entry.comparingByKey()))
        .map(each -> new OldestTarget(each.getKey(), each.getValue()))
        .orElse(null);
  }

  /** Null where no poll failed yet. */
  public synchronized @Nullable String lastError() {
    return lastError;
  }

  public synchronized @Nullable Instant lastErrorAt() {
    return lastErrorAt;
  }

  /** Whether the source as a whole fails: most of its targets, or several polls in a row. */
  public synchronized boolean isDegraded() {
    return failuresInARow >= TOO_MANY || 2 * failing.size() > lastObservedAt.size();
  }

  /** Which targets fail, and why the newest one did; null where none does. */
  public synchronized @Nullable String problem() {
    return failing.isEmpty() ? null
        : "%d of %d targets are polled again after failures; the newest: %s"
            .formatted(failing.size(), Math.max(failing.size(), lastObservedAt.size()), lastError);
  }
}
