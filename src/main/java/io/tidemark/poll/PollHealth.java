package io.tidemark.poll;

import io.tidemark.market.Failure;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How well a source is seen: when each watched target was seen last, and what kept one from being seen. */
public final class PollHealth {

  /** Looks in a row that nothing came of, for a reason that is not their target's. */
  private static final int TOO_MANY = 3;

  private final Map<String, Instant> lastObservedAt = new HashMap<>();
  private @Nullable String lastError;
  private @Nullable Instant lastErrorAt;
  private int failuresInARow;
  private boolean creditsUsedUp;
  private boolean allDisabled;

  /** A target that was not seen for longer than any other. */
  public record OldestTarget(String target, Instant at) {}

  /**
   * @param targets by name; what is looked at once only is none of them
   * @param since from when what was never seen is missing
   */
  public PollHealth(Collection<String> targets, LastObservations lastObservations, Instant since) {
    targets.forEach(target -> {
      var at = lastObservations.lastObservedAt(target);
      lastObservedAt.put(target, at == null ? since : at);
    });
  }

  /** Whether the target is not looked at any more in this life, for what its look said. */
  public static boolean disablesTarget(Snapshot snapshot) {
    return snapshot.failure() instanceof Failure.BadRequest
        || (snapshot.failure() instanceof Failure.NotInPlan && snapshot.pages().isEmpty());
  }

  /**
   * A look was made, or could not be. That the service does not know a target is an answer.
   *
   * @param understood whether all of what came could be read
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

  /** Null where nothing is watched that may be answered. */
  public synchronized @Nullable OldestTarget oldest() {
    return lastObservedAt.entrySet().stream()
        .min(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(each -> new OldestTarget(each.getKey(), each.getValue()))
        .orElse(null);
  }

  /** Null where nothing failed yet. */
  public synchronized @Nullable String lastError() {
    return lastError;
  }

  public synchronized @Nullable Instant lastErrorAt() {
    return lastErrorAt;
  }

  /** Why the service shows nothing, at present; null where it does. */
  public synchronized @Nullable String degradedReason() {
    return creditsUsedUp || allDisabled || failuresInARow >= TOO_MANY ? lastError : null;
  }

  private void answered(Snapshot snapshot, boolean understood) {
    if (!understood) {
      failed(snapshot.target().name() + ": cannot be read; 'tidemark dead-letters' shows what came", snapshot, true);
      return;
    }
    lastObservedAt.computeIfPresent(snapshot.target().name(), (target, before) -> snapshot.observedAt());
    failuresInARow = 0;
    creditsUsedUp = false;
  }

  /** What is not looked at any more does not age; where nothing else is left, nothing is seen. */
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
