package io.tidemark.capture.poll;

import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.event.Budget;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * The budget of a source in virtual time, with the same limits per minute and per month as {@link BudgetLimiter}.
 * Virtual time passes only while no call is permitted or no target is due. Answers take no time.
 */
final class VirtualBudget {

  private static final Duration LONGEST_STEP = Duration.ofMinutes(10);
  private static final long SHORTEST_STEP_NANOS = 1_000_000;

  private final KeyBudgets keys;
  private final Instant start;
  private final long end;
  private long nanos;

  /**
   * @param before the budget committed last; null at the very first start
   * @param firstCalls calls that may be made as fast as the limit per minute allows, see {@link WatchList#firstCalls}
   * @param length time after which no further poll is permitted
   */
  VirtualBudget(PlanLimits limits, @Nullable Budget before, int firstCalls, Instant start, Duration length) {
    this.start = start;
    this.end = length.toNanos();
    this.keys = new KeyBudgets(limits, before, firstCalls, start, 0);
    if (before != null) {
      keys.refuseAsIn(before, 0);
    }
  }

  /** Returns the clock that this budget advances. */
  PollClock clock() {
    return new PollClock(Schedulers.immediate(), this::now, () -> nanos);
  }

  Instant now() {
    return start.plusNanos(nanos);
  }

  Duration elapsed() {
    return Duration.ofNanos(nanos);
  }

  /** Returns the calls of the month that are left. */
  long remaining() {
    return keys.remaining(now(), nanos).monthRemaining();
  }

  /**
   * Lets time pass until a target is due and its calls are permitted, spends these calls, and returns the target.
   * Returns null if the budget's length of time ends first.
   */
  @Nullable
  DueTarget next(Schedule schedule) {
    while (await(1, false) > 0) {
      var due = schedule.next();
      if (due == null) {
        nanos += Math.max(SHORTEST_STEP_NANOS, schedule.untilNext(LONGEST_STEP).toNanos());
      } else if (spend(due.target().pages())) {
        return due;
      }
    }
    return null;
  }

  /**
   * Spends the calls of one poll, spread over several minutes if they do not fit one minute. Returns whether all calls
   * were permitted before the budget's length of time ended.
   */
  private boolean spend(int calls) {
    for (int rest = calls; rest > 0;) {
      var ready = await(rest, rest < calls);
      if (ready == 0) {
        return false;
      }
      keys.permit(ready, nanos).forEach(key -> keys.get(key).answered(nanos));
      rest -= ready;
    }
    return true;
  }

  /**
   * Lets time pass until calls are permitted. Returns the number of calls that are permitted together, or 0 if the
   * budget's length of time ends first.
   */
  private int await(int calls, boolean urgent) {
    while (nanos < end) {
      keys.advance(now(), true, nanos);
      var ready = keys.largestBlock(calls, nanos);
      var wait = keys.waitNanos(calls, ready, urgent, nanos);
      if (wait <= 0) {
        return ready;
      }
      nanos += Math.min(wait, end - nanos);
    }
    return 0;
  }
}
