package io.tidemark.poll;

import io.tidemark.market.Failure;
import io.tidemark.market.Sweep;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How well a source is seen: when each watched target was seen last, and what kept one from being seen. */
public final class Sight {

  /** Looks in a row that nothing came of, for a reason that is not their target's. */
  private static final int TOO_MANY = 3;

  private final Map<String, Instant> seen = new HashMap<>();
  private @Nullable String lastError;
  private @Nullable Instant lastErrorAt;
  private int inARow;
  private boolean usedUp;
  private boolean noneLeft;

  /** A target that was not seen for longer than any other. */
  public record Oldest(String target, Instant at) {}

  /**
   * @param targets by name; what is looked at once only is none of them
   * @param since from when what was never seen is missing
   */
  public Sight(Collection<String> targets, Past past, Instant since) {
    targets.forEach(target -> {
      var at = past.seen(target);
      seen.put(target, at == null ? since : at);
    });
  }

  /** Whether the target is not looked at any more in this life, for what its look said. */
  public static boolean isGivenUp(Sweep sweep) {
    return sweep.failure() instanceof Failure.BadQuestion
        || (sweep.failure() instanceof Failure.NotInPlan && sweep.pages().isEmpty());
  }

  /**
   * A look was made, or could not be. That the service does not know a target is an answer.
   *
   * @param understood whether all of what came could be read
   */
  public synchronized void saw(Sweep sweep, boolean understood) {
    switch (sweep.failure()) {
      case null -> answered(sweep, understood);
      case Failure.NotFound unknown -> answered(sweep, true);
      case Failure.Unreadable unreadable -> failed(unreadable, sweep, true);
      case Failure.NotInPlan beyond -> refused(beyond, sweep);
      case Failure.BadQuestion refused -> refused(refused, sweep);
      case Failure.CreditsUsedUp credits -> {
        usedUp = true;
        failed(credits, sweep, true);
      }
      case Failure.BadKey key -> failed(key, sweep, true);
      case Failure.RateLimited limited -> failed(limited, sweep, true);
      case Failure.Blocked blocked -> failed(blocked, sweep, true);
      case Failure.ServerTrouble trouble -> failed(trouble, sweep, true);
      case Failure.Unreachable unreachable -> failed(unreachable, sweep, true);
    }
  }

  /** Null where nothing is watched that may be answered. */
  public synchronized @Nullable Oldest oldest() {
    return seen.entrySet().stream()
        .min(Map.Entry.<String, Instant>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(each -> new Oldest(each.getKey(), each.getValue()))
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
  public synchronized @Nullable String trouble() {
    return usedUp || noneLeft || inARow >= TOO_MANY ? lastError : null;
  }

  private void answered(Sweep sweep, boolean understood) {
    if (!understood) {
      failed(sweep.target().name() + ": cannot be read; 'tidemark dead-letters' shows what came", sweep, true);
      return;
    }
    seen.computeIfPresent(sweep.target().name(), (target, before) -> sweep.observedAt());
    inARow = 0;
    usedUp = false;
  }

  /** What is not looked at any more does not age; where nothing else is left, nothing is seen. */
  private void refused(Failure failure, Sweep sweep) {
    failed(failure, sweep, false);
    if (isGivenUp(sweep) && seen.remove(sweep.target().name()) != null) {
      noneLeft = seen.isEmpty();
    }
  }

  private void failed(Failure failure, Sweep sweep, boolean ofTheService) {
    failed(failure.getMessage(), sweep, ofTheService);
  }

  private void failed(@Nullable String error, Sweep sweep, boolean ofTheService) {
    lastError = error;
    lastErrorAt = sweep.observedAt();
    inARow = ofTheService ? inARow + 1 : 0;
  }
}
