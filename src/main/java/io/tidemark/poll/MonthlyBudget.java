package io.tidemark.poll;

import static java.time.ZoneOffset.UTC;

import io.tidemark.event.KeyUsage;
import io.tidemark.poll.PlanLimits.KeyLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one key in a month. They are committed as reserved before they are made.
 *
 * <p>A month ends by the service's clock and never starts again. Calls close to its end count in both months.
 */
final class MonthlyBudget {

  /** The part of a minute's calls that is reserved ahead. */
  private static final double AHEAD = 1.0 / 12;
  /** Seconds of the month's rate that are reserved ahead at most. */
  private static final int LONGEST_AHEAD = 600;
  /** By how much the service's clock may be ahead of the estimate. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);
  /** The same without an answer of the service: the estimate is then this machine's earliest possible time. */
  private static final Duration UNKNOWN_CLOCK_TOLERANCE = BudgetLimiter.MAX_CLOCK_SKEW.multipliedBy(2);

  private final KeyLimits limits;
  private final int billingDay;
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
  /** Of the calls spent, those of other programs with the same key, by the service's count. */
  private long others;

  /**
   * The month of a key.
   *
   * @param spentByOthers calls that others made before the first start
   * @param before what was committed last of this key; null at its very first start
   */
  MonthlyBudget(KeyLimits limits, long spentByOthers, int billingDay, @Nullable CommittedKey before, Instant now) {
    this.limits = limits;
    this.billingDay = billingDay;
    this.month = BillingMonth.of(before == null ? now : before.month(), billingDay);
    this.now = now;
    this.spentByOthers = now.isBefore(month.end()) ? 0 : spentByOthers;
    this.reserved = before != null && before.month().equals(month.start()) ? before.usage().getReserved() : 0;
    this.reservedAt = before == null ? null : before.reservedAt();
    this.spent = Math.max(spentByOthers, reserved);
    this.others = before == null ? 0 : Math.min(before.usage().getOthers(), reserved);
    this.countedTwice = before == null || reserved == 0 ? 0
        : before.usage().getBoth() + (isNearMonthEnd() ? reserved - before.usage().getSpent() : 0);
  }

  /**
   * Brings the month up to the present.
   *
   * @param now the earliest time that it can be at the service
   * @param certain whether the time comes from the service
   */
  void advance(Instant now, boolean certain) {
    this.now = now;
    this.certain = certain;
    if (!now.isBefore(month.end())) {
      beginMonth();
    }
  }

  private void beginMonth() {
    month = BillingMonth.of(now, billingDay);
    spent = Math.max(spentByOthers, outstanding + countedTwice);
    reserved = spent;
    spentByOthers = 0;
    countedTwice = 0;
    others = 0;
  }

  /** Nanoseconds until the month ends. */
  long untilEnd() {
    return Duration.between(now, month.end()).toNanos();
  }

  boolean covers(int calls) {
    return spent + calls <= reserved;
  }

  void spend(int calls) {
    spent += calls;
    outstanding += calls;
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
  }

  /**
   * The service counted its own remaining calls of the month. Fewer than remain by this count: others make calls with
   * the same key. More: what was assumed of others before is taken back, and nothing that was counted here.
   */
  void reported(long serviceRemaining) {
    var counted = Math.max(0, limits.perMonth() - serviceRemaining - (spent - others));
    spent += counted - others;
    reserved += Math.max(0, counted - others);
    others = counted;
  }

  /** Whether a call may be made that asks the service for its count, even if others made all that remained. */
  boolean isAskable() {
    return remaining() > 0 || spent - others < limits.perMonth();
  }

  long limit() {
    return limits.perMonth();
  }

  long remaining() {
    return Math.max(0, limits.perMonth() - spent);
  }

  Instant startsAt() {
    return month.start();
  }

  Instant endsAt() {
    return month.end();
  }

  /** Calls in a second that spread what remains evenly over the rest of the month. */
  double perSecond() {
    return remaining() / month.secondsRemaining(now);
  }

  /** A reservation that covers so many more calls and a few ahead: the next owner counts all of them as spent. */
  Reservation reservationFor(int calls, Instant at) {
    var some = Math.min(limits.perMinute() * AHEAD, Math.ceil(perSecond() * LONGEST_AHEAD));
    var ahead = Math.max(spent + calls, Math.min(limits.perMonth(), spent + (long) some));
    return new Reservation(month.start(), Math.max(reserved, ahead), at);
  }

  /** The reservation of an orderly end: no call more than was spent. */
  Reservation settledReservation() {
    return new Reservation(month.start(), spent, reservedAt);
  }

  /** The committed reservation. */
  Reservation currentReservation() {
    return new Reservation(month.start(), reserved, reservedAt);
  }

  /** A reservation was committed. */
  void reserved(Reservation committed) {
    if (committed.month().equals(month.start())) {
      reserved = committed.reserved();
    }
    reservedAt = committed.reservedAt();
  }

  /** What is committed of the key with a reservation, but for its minute. */
  KeyUsage.Builder usage(Reservation reservation) {
    return KeyUsage.newBuilder()
        .setKey(limits.name())
        .setPerMonth(limits.perMonth())
        .setPerMinute(limits.perMinute())
        .setReserved(reservation.reserved())
        .setBoth(countedTwice)
        .setSpent(spent - outstanding)
        .setOthers(others);
  }

  /**
   * Calls of a month that are committed as spent.
   *
   * @param reservedAt null where none ever were
   */
  record Reservation(Instant month, long reserved, @Nullable Instant reservedAt) {}

  /**
   * What was committed of a key.
   *
   * @param month its beginning
   * @param reservedAt null where no call was ever reserved
   * @param countedAt when its minute was counted; null where it was not
   */
  record CommittedKey(Instant month, @Nullable Instant reservedAt, @Nullable Instant countedAt, KeyUsage usage) {}

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
