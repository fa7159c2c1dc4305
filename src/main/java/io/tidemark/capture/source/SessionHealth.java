package io.tidemark.capture.source;

import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.SourceStatus;
import io.tidemark.capture.poll.BudgetLimiter;
import io.tidemark.capture.poll.PollHealth;
import io.tidemark.event.SourceState;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A writer of the health of a session into the state of the source, so that readers can tell "nothing changed" from
 * "nothing was polled".
 *
 * @param clockDrift supplier of how far this machine's clock is ahead of the service's clock; null while that is
 *     unknown
 */
record SessionHealth(
    Ledger ledger, PollHealth polls, BudgetLimiter limiter, Supplier<@Nullable Duration> clockDrift) {

  /**
   * Maximum time by which the records' clock may be ahead of this machine's, or this machine's ahead of the
   * service's, without making a session degraded. A clock that is behind never does.
   */
  private static final Duration CLOCK_TOLERANCE = Duration.ofSeconds(5);

  /** Returns the given state with the current health of the session. */
  SourceState addTo(SourceState state) {
    var degraded = degradedReason();
    var oldest = polls.oldest();
    var error = polls.lastError();
    return SourceState.newBuilder(state)
        .setStatus((degraded == null ? SourceStatus.POLLING : SourceStatus.DEGRADED).wire())
        .setMessage(degraded == null ? polls.problem() : degraded)
        .setBudget(limiter.budget())
        .setOldestTarget(oldest == null ? null : oldest.target())
        .setOldestObservedAt(oldest == null ? null : oldest.at())
        .setLastError(error == null ? state.getLastError() : error)
        .setLastErrorAt(error == null ? state.getLastErrorAt() : polls.lastErrorAt())
        .build();
  }

  /** Returns the given state with the final health of the session, and with the status {@code stopped}. */
  SourceState stopped(SourceState state) {
    return SourceState.newBuilder(addTo(state)).setStatus(SourceStatus.STOPPED.wire()).build();
  }

  private @Nullable String degradedReason() {
    var ahead = ledger.clockAhead();
    var drift = clockDrift.get();
    if (ahead.compareTo(CLOCK_TOLERANCE) > 0) {
      return "the time of its records is %d s ahead of this machine's clock, after an owner with a fast clock: no timer "
          .formatted(ahead.toSeconds()) + "runs until the clock is there";
    }
    if (drift != null && drift.compareTo(CLOCK_TOLERANCE) > 0) {
      return "this machine's clock is %d s ahead of the service's; synchronize it".formatted(drift.toSeconds());
    }
    var keysOut = limiter.remaining().keysOut();
    return keysOut == null && polls.isDegraded() ? polls.problem() : keysOut;
  }
}
