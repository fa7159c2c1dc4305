package io.tidemark.poll;

import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;

/** One line of the schedule: which target it puts forward, and when that is due. Guarded by the schedule. */
abstract sealed class ScheduleRow permits PeriodicRow, CoinHistoryRow {

  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(5);
  private static final int MOST_DOUBLINGS = 6;
  private static final Duration LONGEST_BACKOFF = FIRST_BACKOFF.multipliedBy(1L << MOST_DOUBLINGS);

  private boolean inFlight;
  private int failures;
  private Instant notBefore = Instant.MIN;

  /** Makes up its mind about what comes next. Where the clock was set back, nothing waits for it to catch up. */
  void prepare(Instant now) {
    if (notBefore.isAfter(now.plus(LONGEST_BACKOFF))) {
      notBefore = now;
    }
  }

  /** The target that comes next. */
  abstract Target target();

  /** When something is due, trouble aside; {@code Instant.MAX} for never again. */
  abstract Instant due(double stretch);

  /** How urgent it is, once due; the most urgent goes first. */
  abstract double urgency(Instant now, double stretch);

  abstract double callsPerMinute(double stretch);

  /** The target was seen, in so many calls. */
  abstract void observed(Instant at, int calls);

  /** What came of the target in so many calls could not be read. */
  abstract void unreadable(Instant at, int calls);

  /** The target will not be answered: it is not looked at any more. */
  abstract void disable(Instant now);

  /** The list may be read no further than so many pages. */
  abstract void shorten(int pages);

  /** Whether no target of it is being looked at. */
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

  /** Doubled with every failure in a row; spread, so that targets that failed together do not return together. */
  final void backOff(Instant now) {
    var doubled = FIRST_BACKOFF.multipliedBy(1L << Math.min(failures++, MOST_DOUBLINGS));
    var part = 0.5 + 0.5 * Math.floorMod(target().name().hashCode() * 31 + failures, 1000) / 1000.0;
    notBefore = now.plusMillis((long) (doubled.toMillis() * part));
  }
}
