package io.tidemark.poll;

import static java.time.ZoneOffset.UTC;

import io.tidemark.event.Budget;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a month, spread evenly over the rest of it by a credit that grows with time, and no faster than a minute
 * allows. The credit is bounded: calls
 * not made raise the rate of the rest of the month. A block may overdraw the credit, never the month.
 *
 * <p>A month ends by the service's clock and never starts again. Calls close to its end count in both months.
 */
final class MonthlyBudget {

  private static final double SECOND = 1e9;
  /** The part of a minute's calls that may be permitted at once. */
  private static final double BURST = 0.01;
  /** The part of a minute's calls that is reserved ahead. */
  private static final double AHEAD = 1.0 / 12;
  /** Seconds of the month's rate that are reserved ahead at most. */
  private static final int LONGEST_AHEAD = 600;
  /** By how much the service's clock may be ahead of the estimate. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);
  /** The same without an answer of the service: the estimate is then this machine's earliest possible time. */
  private static final Duration UNKNOWN_CLOCK_TOLERANCE = BudgetLimiter.MAX_CLOCK_SKEW.multipliedBy(2);

  private final PlanLimits limits;
  /** Calls that others spent of a month that had begun by this machine's clock and not by the committed budget. */
  private long spentByOthers;
  private BillingMonth month;
  private Instant now;
  private boolean certain;
  private long spent;
  /** Calls that are committed as spent, sent or not. */
  private long reserved;
  private @Nullable Instant reservedAt;
  /** Calls that are permitted and not answered yet. */
  private long outstanding;
  /** Calls that the service may count in the next month too. */
  private long countedTwice;
  private boolean usedUp;
  /** Calls that may be permitted at once; negative after a block that overdrew it. */
  private double credit;
  private long advancedAt;
  /** Calls by which the credit grows in a second. */
  private double rate = 1;

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
   * Brings credit and month up to the present.
   *
   * @param now the earliest time that it can be at the service
   * @param certain whether the time comes from the service
   * @param minuteLimit calls that are allowed in any minute: the credit grows no faster, so that calls do not come in
   *     bursts
   */
  void advance(Instant now, boolean certain, long nanos, int minuteLimit) {
    this.now = now;
    this.certain = certain;
    if (!now.isBefore(month.end())) {
      beginMonth();
    }
    var rate = Math.min(perSecond(), PlanLimits.PACE * minuteLimit / 60);
    var most = Math.max(1, Math.min(rate * 60, BURST * minuteLimit));
    if (credit < most) {
      credit = Math.min(most, credit + rate * (nanos - advancedAt) / SECOND);
    }
    this.rate = rate;
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

  /** Nanoseconds until a block may be permitted. Urgent ones need no credit; none exceeds the month. */
  long wait(int calls, boolean urgent) {
    if (usedUp || spent + calls > limits.ownPerMonth()) {
      return Duration.between(now, month.end()).toNanos();
    }
    return urgent || credit >= 1 ? 0 : (long) Math.ceil((1 - credit) / rate * SECOND);
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

  /** Whether the next month may have begun at the service. */
  private boolean isNearMonthEnd() {
    return !now.isBefore(month.end().minus(certain ? CLOCK_TOLERANCE : UNKNOWN_CLOCK_TOLERANCE));
  }

  /** A permitted call was answered. */
  void answered() {
    outstanding--;
  }

  void release(int calls) {
    outstanding -= calls;
    spent = Math.max(0, spent - calls);
    credit += calls;
  }

  /** The service says that the credits are used up, whatever was counted here. */
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

  /** A reservation that covers so many more calls and a few ahead: the next owner counts all of them as spent. */
  Budget reservationFor(int calls, Instant at) {
    var some = Math.min(limits.ownPerMinute() * AHEAD, Math.ceil(perSecond() * LONGEST_AHEAD));
    return budget(Math.max(spent + calls, Math.min(limits.ownPerMonth(), spent + (long) some)), at);
  }

  /** The reservation of an orderly end: no call more than was spent. */
  Budget settledReservation(Instant at) {
    return budget(spent, reservedAt == null ? null : at);
  }

  /** The committed reservation, with the calls sent by now. */
  Budget currentReservation() {
    return budget(reserved, reservedAt);
  }

  /** A reservation was committed. */
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

  /** A month of the service's billing: from one billing day to the next, UTC. */
  record BillingMonth(Instant start, Instant end) {

    static BillingMonth of(Instant now, int billingDay) {
      var month = YearMonth.from(now.atZone(UTC));
      var start = now.isBefore(start(month, billingDay)) ? month.minusMonths(1) : month;
      return new BillingMonth(start(start, billingDay), start(start.plusMonths(1), billingDay));
    }

    /** At least a second, so that rates stay finite. */
    double secondsRemaining(Instant now) {
      return Math.max(1, Duration.between(now, end).toMillis() / 1000.0);
    }

    private static Instant start(YearMonth month, int billingDay) {
      return month.atDay(Math.min(billingDay, month.lengthOfMonth())).atStartOfDay(UTC).toInstant();
    }
  }
}
