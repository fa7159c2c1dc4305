package io.tidemark.poll;

import io.tidemark.event.Budget;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The month's calls, spread evenly over what is left of it. Nothing is saved up: calls not made make the rest of the
 * month a little faster. A block may overdraw the pace, never the month.
 */
final class Pace {

  private static final double SECOND = 1e9;

  private final Limits limits;
  private Month month;
  private long spent;
  /** Calls that are committed as spent, whether they are or not. */
  private long reserved;
  private boolean usedUp;
  /** Calls that may be made at once; below 0 after a block that overdrew. */
  private double credit;
  private long countedAt;

  Pace(Limits limits, @Nullable Budget before, int round, Instant now, long nanos) {
    this.limits = limits;
    this.month = Month.of(now, limits.billingDay());
    this.reserved = before != null && before.getMonth().equals(month.start()) ? before.getReserved() : 0;
    this.spent = Math.max(limits.spent(), reserved);
    this.credit = before == null ? Math.max(1, Math.min(round, limits.month() / 100.0)) : 1;
    this.countedAt = nanos;
  }

  /** Brings credit and month up to now. */
  void count(Instant now, long nanos) {
    if (!now.isBefore(month.end())) {
      month = Month.of(now, limits.billingDay());
      spent = 0;
      reserved = 0;
      usedUp = false;
    }
    var rate = perSecond(now);
    var most = Math.max(1, rate * 60);
    if (credit < most) {
      credit = Math.min(most, credit + rate * (nanos - countedAt) / SECOND);
    }
    countedAt = nanos;
  }

  /** Nanoseconds until a block may go, as counted last; urgent ones pass the pace, none the month. */
  long wait(int calls, boolean urgent, Instant now) {
    if (usedUp || spent + calls > limits.month()) {
      return Math.max(1, Duration.between(now, month.end()).toNanos());
    }
    return urgent || credit >= 1 ? 0 : (long) Math.ceil((1 - credit) / perSecond(now) * SECOND);
  }

  boolean covers(int calls) {
    return spent + calls <= reserved;
  }

  void spend(int calls) {
    spent += calls;
    credit -= calls;
  }

  void giveBack(int calls) {
    spent = Math.max(0, spent - calls);
    credit += calls;
  }

  /** The service says the month's credits are gone, whatever we counted. */
  void useUp() {
    usedUp = true;
  }

  double perSecond(Instant now) {
    return usedUp ? 0 : Math.max(0, limits.month() - spent) / month.secondsLeft(now);
  }

  /** What to commit so that so many more calls are covered, and those of some time ahead. */
  Budget ahead(int calls, Duration time, Instant now) {
    var more = Math.max(calls, (long) Math.ceil(perSecond(now) * time.toSeconds()));
    return budget(Math.min(limits.month(), spent + more), now);
  }

  /** What to commit when nothing more will be spent. */
  Budget settled(Instant now) {
    return budget(spent, now);
  }

  /** It is committed. */
  void reserved(Budget budget) {
    if (budget.getMonth().equals(month.start())) {
      reserved = budget.getReserved();
    }
  }

  private Budget budget(long reserved, Instant now) {
    return new Budget(month.start(), limits.month(), (long) limits.minute(), reserved, now);
  }
}
