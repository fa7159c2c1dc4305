package io.tidemark.poll;

import io.tidemark.event.Budget;
import io.tidemark.poll.Schedule.DueTarget;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Schedulers;

/**
 * The budget of a source in virtual time: the same minute and month that {@link BudgetLimiter} keeps. Time passes while a
 * call is not permitted or nothing is due, and answers take none.
 */
final class VirtualBudget {

  private static final Duration LONGEST_STEP = Duration.ofMinutes(10);
  private static final long SHORTEST_STEP_NANOS = 1_000_000;

  private final PlanLimits limits;
  private final MinuteWindow window = new MinuteWindow();
  private final MonthlyBudget month;
  private final Instant start;
  private final long end;
  private long nanos;

  /**
   * A budget from a start on.
   *
   * @param before the budget committed last; null at the very first start
   * @param round calls of one round of the watch list
   * @param length after which no poll is permitted any more
   */
  VirtualBudget(PlanLimits limits, @Nullable Budget before, int round, Instant start, Duration length) {
    this.limits = limits;
    this.start = start;
    this.end = length.toNanos();
    this.month = new MonthlyBudget(limits, before, round, start, 0);
    if (before != null) {
      window.restore(before, start, 0);
    }
  }

  /** The clock that it advances. */
  PollClock clock() {
    return new PollClock(Schedulers.immediate(), this::now, () -> nanos);
  }

  Instant now() {
    return start.plusNanos(nanos);
  }

  Duration elapsed() {
    return Duration.ofNanos(nanos);
  }

  /** Calls of the month that are left. */
  long remaining() {
    return month.remaining();
  }

  /** Lets time pass until a target is due and its calls are permitted, and spends them; null: the end comes first. */
  @Nullable
  DueTarget next(Schedule schedule) {
    while (await(1)) {
      var due = schedule.next();
      if (due == null) {
        nanos += Math.max(SHORTEST_STEP_NANOS, schedule.untilNext(LONGEST_STEP).toNanos());
      } else if (await(due.target().pages())) {
        spend(due.target().pages());
        return due;
      }
    }
    return null;
  }

  private boolean await(int calls) {
    while (nanos < end) {
      month.advance(now(), true, nanos, limits.ownPerMinute());
      var fitting = Math.min(calls, limits.ownPerMinute());
      var wait = Math.max(window.waitNanos(fitting, limits.ownPerMinute(), nanos), month.wait(calls, false));
      if (wait <= 0) {
        return true;
      }
      nanos += wait;
    }
    return false;
  }

  private void spend(int calls) {
    month.spend(calls);
    window.hold(calls);
    for (int k = 0; k < calls; k++) {
      window.answered(nanos);
      month.answered();
    }
  }
}
