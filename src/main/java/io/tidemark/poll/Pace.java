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
final class Pace {

  private static final double SECOND = 1e9;
  /** The part of a minute's calls that are reserved ahead. */
  private static final double AHEAD = 1.0 / 12;
  /** Seconds of the month's pace that are reserved ahead, at most. */
  private static final int LONGEST_AHEAD = 600;
  /** By how much the service may be ahead of what is known of its time. */
  private static final Duration BLUR = Duration.ofMinutes(1);
  /** The same where nothing is known of it but our own time, of which the earliest is taken. */
  private static final Duration GUESS = Limiter.MOST_APART.multipliedBy(2);

  private final Limits limits;
  /** What others spent of a month that had begun at the start by our clock, and not yet in Kafka. */
  private long others;
  private Month month;
  private Instant now;
  private boolean certain;
  private long spent;
  /** Calls that are committed as spent, whether they are or not. */
  private long reserved;
  private @Nullable Instant reservedAt;
  /** Calls that are granted and not answered yet. */
  private long open;
  /** Calls that the next month may count, too. */
  private long both;
  private boolean usedUp;
  /** Calls that may be made at once; below 0 after a block that overdrew. */
  private double credit;
  private long countedAt;

  Pace(Limits limits, @Nullable Budget before, int round, Instant now, long nanos) {
    this.limits = limits;
    this.month = Month.of(before == null ? now : before.getMonth(), limits.billingDay());
    this.now = now;
    this.others = now.isBefore(month.end()) ? 0 : limits.spent();
    this.reserved = before != null && before.getMonth().equals(month.start()) ? before.getReserved() : 0;
    this.reservedAt = before == null ? null : before.getReservedAt();
    this.spent = Math.max(limits.spent(), reserved);
    this.both = before == null || reserved == 0 ? 0 : before.getBoth() + (isClose() ? reserved - before.getSpent() : 0);
    this.credit = before == null ? Math.max(1, Math.min(round, limits.month() / 100.0)) : 1;
    this.countedAt = nanos;
  }

  /**
   * Brings credit and month up to now.
   *
   * @param now what time it is at the service, at least
   * @param certain whether the service said so
   */
  void count(Instant now, boolean certain, long nanos) {
    this.now = now;
    this.certain = certain;
    if (!now.isBefore(month.end())) {
      turn();
    }
    var rate = perSecond();
    var most = Math.max(1, rate * 60);
    if (credit < most) {
      credit = Math.min(most, credit + rate * (nanos - countedAt) / SECOND);
    }
    countedAt = nanos;
  }

  private void turn() {
    month = Month.of(now, limits.billingDay());
    spent = Math.max(others, open + both);
    reserved = spent;
    others = 0;
    both = 0;
    usedUp = false;
  }

  /** Nanoseconds until a block may go, as counted last; urgent ones pass the pace, none the month. */
  long wait(int calls, boolean urgent) {
    if (usedUp || spent + calls > limits.month()) {
      return Duration.between(now, month.end()).toNanos();
    }
    return urgent || credit >= 1 ? 0 : (long) Math.ceil((1 - credit) / perSecond() * SECOND);
  }

  boolean covers(int calls) {
    return spent + calls <= reserved;
  }

  void spend(int calls) {
    spent += calls;
    open += calls;
    credit -= calls;
    if (isClose()) {
      both += calls;
    }
  }

  /** Whether the service may be in the next month. */
  private boolean isClose() {
    return !now.isBefore(month.end().minus(certain ? BLUR : GUESS));
  }

  /** A granted call left and was answered. */
  void answered() {
    open--;
  }

  void giveBack(int calls) {
    open -= calls;
    spent = Math.max(0, spent - calls);
    credit += calls;
  }

  /** The service says the month's credits are gone, whatever we counted. */
  void useUp() {
    usedUp = true;
  }

  long limit() {
    return limits.month();
  }

  long left() {
    return usedUp ? 0 : Math.max(0, limits.month() - spent);
  }

  Instant turns() {
    return month.end();
  }

  double perSecond() {
    return usedUp ? 0 : Math.max(0, limits.month() - spent) / month.secondsLeft(now);
  }

  /** What to commit so that so many more calls are covered, and some ahead: little, as a takeover counts it as made. */
  Budget ahead(int calls, Instant at) {
    var some = Math.min(limits.minute() * AHEAD, Math.ceil(perSecond() * LONGEST_AHEAD));
    return budget(Math.max(spent + calls, Math.min(limits.month(), spent + (long) some)), at);
  }

  /** What to commit when nothing more will be spent. */
  Budget settled(Instant at) {
    return budget(spent, reservedAt == null ? null : at);
  }

  /** What is committed, and what of it left by now. */
  Budget counted() {
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
        .setPerMonth(limits.month())
        .setPerMinute(limits.minute())
        .setReserved(reserved)
        .setReservedAt(reservedAt)
        .setBoth(both)
        .setSpent(spent - open)
        .build();
  }
}
