package io.tidemark.poll;

import io.tidemark.event.Budget;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The month's calls, spread evenly over what is left of it. Nothing is saved up: calls not made make the rest of the
 * month a little faster. A block may overdraw the pace, never the month.
 *
 * <p>A month ends by the service's time, and for good; what leaves close to its end counts in both.
 */
final class MonthlyBudget {

  private static final double SECOND = 1e9;
  /** The part of a minute's calls that are reserved ahead. */
  private static final double AHEAD = 1.0 / 12;
  /** Seconds of the month's pace that are reserved ahead, at most. */
  private static final int LONGEST_AHEAD = 600;
  /** By how much the service may be ahead of what is known of its time. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);
  /** The same where nothing is known of it but our own time, of which the earliest is taken. */
  private static final Duration UNKNOWN_CLOCK_TOLERANCE = BudgetLimiter.MAX_CLOCK_SKEW.multipliedBy(2);

  private final PlanLimits limits;
  /** What others spent of a month that had begun at the start by our clock, and not yet in Kafka. */
  private long spentByOthers;
  private BillingMonth month;
  private Instant now;
  private boolean certain;
  private long spent;
  /** Calls that are committed as spent, whether they are or not. */
  private long reserved;
  private @Nullable Instant reservedAt;
  /** Calls that are granted and not answered yet. */
  private long outstanding;
  /** Calls that the next month may count, too. */
  private long countedTwice;
  private boolean usedUp;
  /** Calls that may be made at once; below 0 after a block that overdrew. */
  private double credit;
  private long advancedAt;

  MonthlyBudget(PlanLimits limits, @Nullable Budget before, int round, Instant now, long nanos) {
    this.limits = limits;
    this.month = BillingMonth.of(before == null ? now : before.getMonth(), limits.billingDay());
    this.now = now;
    this.spentByOthers = now.isBefore(month.end()) ? 0 : limits.spent();
    this.reserved = before != null && before.getMonth().equals(month.start()) ? before.getReserved() : 0;
    this.reservedAt = before == null ? null : before.getReservedAt();
    this.spent = Math.max(limits.spent(), reserved);
    this.countedTwice =
        before == null || reserved == 0 ? 0 : before.getBoth() + (isNearMonthEnd() ? reserved - before.getSpent() : 0);
    this.credit = before == null ? Math.max(1, Math.min(round, limits.ownPerMonth() / 100.0)) : 1;
    this.advancedAt = nanos;
  }

  /**
   * Brings credit and month up to now.
   *
   * @param now what time it is at the service, at least
   * @param certain whether the service said so
   */
  void advance(Instant now, boolean certain, long nanos) {
    this.now = now;
    this.certain = certain;
    if (!now.isBefore(month.end())) {
      beginMonth();
    }
    var rate = perSecond();
    var most = Math.max(1, rate * 60);
    if (credit < most) {
      credit = Math.min(most, credit + rate * (nanos - advancedAt) / SECOND);
    }
    advancedAt = nanos;
  }

  private void beginMonth() {
    month = BillingMonth.of(now, limits.billingDay());
    spent = Math.max(spentByOthers, outstanding + countedTwice);
    reserved = spent;
    spentByOthers = 0;
    countedTwice = 0;
    usedUp = false;
  }

  /** Nanoseconds until a block may go, as counted last; urgent ones pass the pace, none the month. */
  long wait(int calls, boolean urgent) {
    if (usedUp || spent + calls > limits.ownPerMonth()) {
      return Duration.between(now, month.end()).toNanos();
    }
    return urgent || credit >= 1 ? 0 : (long) Math.ceil((1 - credit) / perSecond() * SECOND);
  }

  boolean covers(int calls) {
    return spent + calls <= reserved;
  }

  void spend(int calls) {
    spent += calls;
    outstanding += calls;
    credit -= calls;
    if (isNearMonthEnd()) {
      countedTwice += calls;
    }
  }

  /** Whether the service may be in the next month. */
  private boolean isNearMonthEnd() {
    return !now.isBefore(month.end().minus(certain ? CLOCK_TOLERANCE : UNKNOWN_CLOCK_TOLERANCE));
  }

  /** A granted call left and was answered. */
  void answered() {
    outstanding--;
  }

  void release(int calls) {
    outstanding -= calls;
    spent = Math.max(0, spent - calls);
    credit += calls;
  }

  /** The service says the month's credits are gone, whatever we counted. */
  void exhaust() {
    usedUp = true;
  }

  long limit() {
    return limits.ownPerMonth();
  }

  long remaining() {
    return usedUp ? 0 : Math.max(0, limits.ownPerMonth() - spent);
  }

  Instant endsAt() {
    return month.end();
  }

  double perSecond() {
    return usedUp ? 0 : Math.max(0, limits.ownPerMonth() - spent) / month.secondsRemaining(now);
  }

  /** What to commit so that so many more calls are covered, and some ahead: little, as a takeover counts it as made. */
  Budget reservationFor(int calls, Instant at) {
    var some = Math.min(limits.ownPerMinute() * AHEAD, Math.ceil(perSecond() * LONGEST_AHEAD));
    return budget(Math.max(spent + calls, Math.min(limits.ownPerMonth(), spent + (long) some)), at);
  }

  /** What to commit when nothing more will be spent. */
  Budget settledReservation(Instant at) {
    return budget(spent, reservedAt == null ? null : at);
  }

  /** What is committed, and what of it left by now. */
  Budget currentReservation() {
    return budget(reserved, reservedAt);
  }

  /** It is committed. */
  void reserved(Budget budget) {
    if (budget.getMonth().equals(month.start())) {
      reserved = budget.getReserved();
    }
    reservedAt = budget.getReservedAt();
  }

  private Budget budget(long reserved, @Nullable Instant reservedAt) {
    return Budget.newBuilder()
        .setMonth(month.start())
        .setPerMonth(limits.ownPerMonth())
        .setPerMinute(limits.ownPerMinute())
        .setReserved(reserved)
        .setReservedAt(reservedAt)
        .setBoth(countedTwice)
        .setSpent(spent - outstanding)
        .build();
  }
}
