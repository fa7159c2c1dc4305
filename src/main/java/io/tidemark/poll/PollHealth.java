package io.tidemark.poll;

import io.tidemark.market.Failure;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How well a source is polled: when each target was last observed, and which failure occurred last. */
public final class PollHealth {

  /** Polls in a row that failed for a reason that is not their target's. */
  private static final int TOO_MANY = 3;

  private final Map<String, Instant> lastObservedAt = new HashMap<>();
  private @Nullable String lastError;
  private @Nullable Instant lastErrorAt;
  private int failuresInARow;
  private boolean creditsUsedUp;
  private boolean allDisabled;

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
  }

  /** Whether the snapshot's failure disables its target for the rest of the session. */
  public static boolean disablesTarget(Snapshot snapshot) {
    return snapshot.failure() instanceof Failure.BadRequest
        || (snapshot.failure() instanceof Failure.NotInPlan && snapshot.pages().isEmpty());
  }

  /**
   * Records a poll, successful or not. "Not found" is an answer.
   *
   * @param understood whether the whole answer was readable
   */
  public synchronized void recordPoll(Snapshot snapshot, boolean understood) {
    switch (snapshot.failure()) {
      case null -> answered(snapshot, understood);
      case Failure.NotFound unknown -> answered(snapshot, true);
      case Failure.Unreadable unreadable -> failed(unreadable, snapshot, true);
      case Failure.NotInPlan beyond -> targetRefused(beyond, snapshot);
      case Failure.BadRequest refused -> targetRefused(refused, snapshot);
      case Failure.CreditsExhausted credits -> {
        creditsUsedUp = true;
        failed(credits, snapshot, true);
      }
      case Failure.BadKey key -> failed(key, snapshot, true);
      case Failure.RateLimited limited -> failed(limited, snapshot, true);
      case Failure.Blocked blocked -> failed(blocked, snapshot, true);
      case Failure.ServerError failure -> failed(failure, snapshot, true);
      case Failure.Unreachable unreachable -> failed(unreachable, snapshot, true);
    }
  }

  /** Null where every target is disabled. */
  public synchronized @Nullable OldestTarget oldest() {
    return lastObservedAt.entrySet().stream()
        .min(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
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

  /** Why the source is degraded at present; null where it is not. */
  public synchronized @Nullable String degradedReason() {
    return creditsUsedUp || allDisabled || failuresInARow >= TOO_MANY ? lastError : null;
  }

  private void answered(Snapshot snapshot, boolean understood) {
    if (!understood) {
      failed(snapshot.target().name() + ": its answer is unreadable; 'tidemark dead-letters' shows it", snapshot, true);
      return;
    }
    lastObservedAt.computeIfPresent(snapshot.target().name(), (target, before) -> snapshot.observedAt());
    failuresInARow = 0;
    creditsUsedUp = false;
  }

  /** A disabled target does not become stale. With the last target disabled, the source is degraded. */
  private void targetRefused(Failure failure, Snapshot snapshot) {
    failed(failure, snapshot, false);
    if (disablesTarget(snapshot) && lastObservedAt.remove(snapshot.target().name()) != null) {
      allDisabled = lastObservedAt.isEmpty();
    }
  }

  private void failed(Failure failure, Snapshot snapshot, boolean ofTheService) {
    failed(failure.getMessage(), snapshot, ofTheService);
  }

  private void failed(@Nullable String error, Snapshot snapshot, boolean ofTheService) {
    lastError = error;
    lastErrorAt = snapshot.observedAt();
    failuresInARow = ofTheService ? failuresInARow + 1 : 0;
  }
}
