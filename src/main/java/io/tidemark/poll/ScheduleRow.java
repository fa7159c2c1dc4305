package io.tidemark.poll;

import io.tidemark.market.Target;
import io.tidemark.poll.Schedule.DueTarget;
import java.time.Duration;
import java.time.Instant;

/** One row of the schedule: its next target, and when that is due. Guarded by the schedule. */
abstract sealed class ScheduleRow permits PeriodicRow, CoinHistoryRow {

  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(5);
  private static final int MOST_DOUBLINGS = 6;
  private static final Duration LONGEST_BACKOFF = FIRST_BACKOFF.multipliedBy(1L << MOST_DOUBLINGS);

  private boolean inFlight;
  private int failures;
  private Instant notBefore = Instant.MIN;

  /** Chooses the next target. Where the clock was set back, due times are moved so that nothing waits for it. */
  void prepare(Instant now) {
    if (notBefore.isAfter(now.plus(LONGEST_BACKOFF))) {
      notBefore = now;
    }
  }

  /** The next target. */
  abstract Target target();

  /** When the next target is due, without backoff; {@code Instant.MAX} for never again. */
  abstract Instant due(double stretch);

  /** How urgent the target is, once due; the most urgent is polled first. */
  abstract double urgency(Instant now, double stretch);

  abstract double callsPerMinute(double stretch);

  /** The target was observed, in so many calls. */
  abstract void observed(Instant at, int calls);

  /** The answer of the target, which took so many calls, was unreadable. */
  abstract void unreadable(Instant at, int calls);

  /** The service does not answer for the target: it is not polled any more. */
  abstract void disable(Instant now);

  /** The service answers for no more than so many pages of the list. */
  abstract void shorten(int pages);

  /** Whether no target of it is being polled. */
  final boolean isIdle() {
    return !inFlight;
  }

  final Instant dueAfterBackoff(double stretch) {
    var due = due(stretch);
    return due.isBefore(notBefore) ? notBefore : due;
  }

  final DueTarget dispatch() {
    inFlight = true;
    return new DueTarget(target(), this);
  }

  final void release() {
    inFlight = false;
  }

  final void succeeded() {
    failures = 0;
  }

  /** Backs off, twice as long with every failure in a row; jittered, so that targets do not return together. */
  final void backOff(Instant now) {
    var doubled = FIRST_BACKOFF.multipliedBy(1L << Math.min(failures++, MOST_DOUBLINGS));
    var part = 0.5 + 0.5 * Math.floorMod(target().name().hashCode() * 31 + failures, 1000) / 1000.0;
    notBefore = now.plusMillis((long) (doubled.toMillis() * part));
  }
}
