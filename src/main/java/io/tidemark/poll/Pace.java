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
  /** The part of a minute's calls that are reserved ahead. */
  private static final double AHEAD = 1.0 / 12;
  /** Seconds of the month's pace that are reserved ahead, at most. */
  private static final int LONGEST_AHEAD = 600;

  private final Limits limits;
  private Month month;
  private long spent;
  /** Calls that are committed as spent, whether they are or not. */
  private long reserved;
  private @Nullable Instant reservedAt;
  /** Calls that are granted and not answered yet. */
  private long open;
  private boolean usedUp;
  /** Calls that may be made at once; below 0 after a block that overdrew. */
  private double credit;
  private long countedAt;

  Pace(Limits limits, @Nullable Budget before, int round, Instant now, long nanos) {
    this.limits = limits;
    this.month = Month.of(before != null && before.getMonth().isAfter(now) ? before.getMonth() : now, limits.billingDay());
    this.reserved = before != null && before.getMonth().equals(month.start()) ? before.getReserved() : 0;
    this.reservedAt = before == null ? null : before.getReservedAt();
    this.spent = Math.max(limits.spent(), reserved);
    this.credit = before == null ? Math.max(1, Math.min(round, limits.month() / 100.0)) : 1;
    this.countedAt = nanos;
  }

  /** Brings credit and month up to now. */
  void count(Instant now, long nanos) {
    if (!now.isBefore(month.end())) {
      month = Month.of(now, limits.billingDay());
      spent = open;
      reserved = open;
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
    open += calls;
    credit -= calls;
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

  double perSecond(Instant now) {
    return usedUp ? 0 : Math.max(0, limits.month() - spent) / month.secondsLeft(now);
  }

  /** What to commit so that so many more calls are covered, and some ahead: little, as a takeover counts it as made. */
  Budget ahead(int calls, Instant now) {
    var some = Math.min(limits.minute() * AHEAD, Math.ceil(perSecond(now) * LONGEST_AHEAD));
    var more = Math.max(calls, (long) some);
    return budget(Math.min(limits.month(), spent + more), now);
  }

  /** What to commit when nothing more will be spent. */
  Budget settled(Instant now) {
    return budget(spent, reservedAt == null ? null : now);
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
        .setSpent(spent - open)
        .build();
  }
}
