package io.tidemark.capture.poll;

import static java.time.ZoneOffset.UTC;

import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.event.KeyUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one key in a billing month. Calls are committed as reserved before they are made.
 *
 * <p>The service's clock decides when a month ends. After its end, a month never becomes the current one again. Calls
 * close to the end of a month count in that month and in the next.
 */
final class MonthlyBudget {

  /** Maximum number of calls that are reserved ahead, as a part of the calls allowed in a minute. */
  private static final double AHEAD = 1.0 / 12;
  /**
   * Maximum number of seconds for which calls are reserved ahead, if the calls of the month are spread evenly.
   */
  private static final int LONGEST_AHEAD = 600;
  /** Maximum time by which the service's clock may be ahead of the estimate of it, after an answer of the service. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(1);
  /**
   * Maximum time by which the service's clock may be ahead of the estimate before any answer of the service. The
   * estimate is then the earliest time that is possible by this machine's clock.
   */
  private static final Duration UNKNOWN_CLOCK_TOLERANCE = BudgetLimiter.MAX_CLOCK_SKEW.multipliedBy(2);

  private final KeyLimits limits;
  private final int billingDay;
  /**
   * Calls that other programs spent in the month after the committed budget's month, if this next month has begun by
   * this machine's clock; otherwise 0.
   */
  private long spentByOthers;
  private BillingMonth month;
  private Instant now;
  private boolean certain;
  private long spent;
  /**
   * Calls that are committed as spent, whether sent or not, plus calls of other programs that the service has
   * reported since.
   */
  private long reserved;
  /** Calls that are permitted but not answered yet. */
  private int outstanding;
  /** Calls that the service may count in the next month too. */
  private long countedTwice;
  /** Part of the spent calls that other programs made with the same key, by the service's count. */
  private long others;

  /**
   * @param spentByOthers calls that other programs made with the key, as configured. At every start, at least this
   *     many calls of the present month count as spent
   * @param before usage committed last for this key; null if none was ever committed
   */
  MonthlyBudget(KeyLimits limits, long spentByOthers, int billingDay, @Nullable CommittedKey before, Instant now) {
    this.limits = limits;
    this.billingDay = billingDay;
    this.month = BillingMonth.of(before == null ? now : before.month(), billingDay);
    this.now = now;
    this.spentByOthers = now.isBefore(month.end()) ? 0 : spentByOthers;
    this.reserved = before != null && before.month().equals(month.start()) ? before.usage().getReserved() : 0;
    this.spent = Math.max(spentByOthers, reserved);
    this.others = before == null ? 0 : Math.min(before.usage().getOthers(), reserved);
    this.countedTwice = before == null || reserved == 0 ? 0
        : before.usage().getBoth() + (isNearMonthEnd() ? reserved - before.usage().getSpent() : 0);
  }

  /**
   * @param now earliest time that the service's clock can show now
   * @param certain whether this time comes from the service
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

  /** Returns the nanoseconds until the month ends. */
  long untilEnd() {
    return Duration.between(now, month.end()).toNanos();
  }

  boolean covers(int calls) {
    return spent + calls <= reserved;
  }

  void spend() {
    spent++;
    outstanding++;
    if (isNearMonthEnd()) {
      countedTwice++;
    }
  }

  /** Returns whether the next month may have begun at the service. */
  private boolean isNearMonthEnd() {
    return !now.isBefore(month.end().minus(certain ? CLOCK_TOLERANCE : UNKNOWN_CLOCK_TOLERANCE));
  }

  void answered() {
    outstanding--;
  }

  void release() {
    outstanding--;
    spent = Math.max(0, spent - 1);
  }

  int outstanding() {
    return outstanding;
  }

  /**
   * Applies the service's count of the remaining calls of the month. If fewer calls remain than this budget counts,
   * other programs made calls with the same key. If more calls remain, calls that were attributed to other programs are
   * taken back, but no call that this program made.
   */
  void reported(long serviceRemaining) {
    var counted = Math.max(0, limits.perMonth() - serviceRemaining - (spent - others));
    spent += counted - others;
    reserved += Math.max(0, counted - others);
    others = counted;
  }

  /**
   * Returns whether the key may make a call that asks the service for its count. It may even if other programs made all
   * remaining calls of the month.
   */
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

  /** Returns the calls per second that spread the remaining calls evenly over the rest of the month. */
  double perSecond() {
    return remaining() / month.secondsRemaining(now);
  }

  /** Returns the calls that are spent beyond an even pace over the whole month; negative if fewer are spent. */
  double aheadOfPace() {
    var elapsed = Duration.between(month.start(), now);
    var length = Duration.between(month.start(), month.end());
    return spent - limits.perMonth() * ((double) elapsed.toMillis() / length.toMillis());
  }

  /** Returns the calls to reserve for the given number of further calls and at most {@code mostAhead} calls ahead. */
  long reservationFor(int calls, long mostAhead) {
    var some = (long) Math.min(limits.perMinute() * AHEAD, Math.ceil(perSecond() * LONGEST_AHEAD));
    var ahead = Math.max(spent + calls, Math.min(limits.perMonth(), spent + Math.min(some, mostAhead)));
    return Math.max(reserved, ahead);
  }

  long spent() {
    return spent;
  }

  long reserved() {
    return reserved;
  }

  /** Applies a reservation that was committed. It counts only if its month is still the current one. */
  void reserved(Instant ofMonth, long calls) {
    if (ofMonth.equals(month.start())) {
      reserved = calls;
    }
  }

  /**
   * Returns the usage of the key that is committed with a reservation, without the key's status, last minute and
   * report.
   */
  KeyUsage.Builder usage(long reservation) {
    return KeyUsage.newBuilder()
        .setKey(limits.name())
        .setPerMonth(limits.perMonth())
        .setPerMinute(limits.perMinute())
        .setReserved(reservation)
        .setBoth(countedTwice)
        .setSpent(spent - outstanding)
        .setOthers(others);
  }

  /**
   * @param month start of the month
   * @param countedAt time at which the calls of the key's last minute were counted; null if they were not counted
   */
  record CommittedKey(Instant month, @Nullable Instant countedAt, KeyUsage usage) {}

  /** A month of the service's billing: from one billing day to the next, UTC. */
  record BillingMonth(Instant start, Instant end) {

    static BillingMonth of(Instant now, int billingDay) {
      var month = YearMonth.from(now.atZone(UTC));
      var start = now.isBefore(start(month, billingDay)) ? month.minusMonths(1) : month;
      return new BillingMonth(start(start, billingDay), start(start.plusMonths(1), billingDay));
    }

    /** Returns the seconds until the month ends, at least 1 so that rates stay finite. */
    double secondsRemaining(Instant now) {
      return Math.max(1, Duration.between(now, end).toMillis() / 1000.0);
    }

    private static Instant start(YearMonth month, int billingDay) {
      return month.atDay(Math.min(billingDay, month.lengthOfMonth())).atStartOfDay(UTC).toInstant();
    }
  }
}
