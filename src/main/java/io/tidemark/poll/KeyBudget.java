package io.tidemark.poll;

import io.tidemark.event.KeyReport;
import io.tidemark.event.KeyUsage;
import io.tidemark.poll.MonthlyBudget.CommittedKey;
import io.tidemark.poll.MonthlyBudget.Reservation;
import io.tidemark.poll.PlanLimits.KeyLimits;
import io.tidemark.poll.RemainingBudget.KeyStatus;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The calls that one key may make: its minute, its month, its penalty for "too many calls", and whether the service
 * accepts its calls. A key is out if the service refuses it, or says that its month is used up: it is tried again with one
 * call from time to time.
 */
final class KeyBudget {

  /** A key that is out is tried again after this time, and after twice as long with each further trial. */
  static final Duration FIRST_TRIAL = Duration.ofSeconds(10);
  /** Unless that takes more than a hundredth of its month. */
  private static final Duration LONGEST_TRIAL = Duration.ofHours(6);
  private static final int MOST_DOUBLINGS = 20;

  private final KeyLimits limits;
  private final MinuteWindow window = new MinuteWindow();
  private final RateLimitPenalty penalty = new RateLimitPenalty();
  private final MonthlyBudget month;
  /** What the service reported of the key last; null where it was not asked or did not answer. */
  private @Nullable KeyReport report;
  /** Why the key is out: REFUSED or USED_UP; USED if it is not. */
  private KeyStatus out = KeyStatus.USED;
  /** What the service said when it last put the key out; null if the key is not out. */
  private @Nullable String refusal;
  /** Trials since the key is out. */
  private int trials;
  private long outSince;
  private long nextTrial;
  private long trialBefore;
  private boolean trialPermitted;
  /** The month in which the service was asked for its count last; null where it was not. */
  private @Nullable Instant askedIn;

  /** @param before what was committed last of this key; null at its very first start */
  KeyBudget(KeyLimits limits, long spentByOthers, int billingDay, @Nullable CommittedKey before, Instant now,
      long nanos) {
    this.limits = limits;
    this.month = new MonthlyBudget(limits, spentByOthers, billingDay, before, now);
    this.report = before == null ? null : before.usage().getReport();
    if (before != null) {
      window.restore(before, now, nanos);
    }
  }

  String name() {
    return limits.name();
  }

  MonthlyBudget month() {
    return month;
  }

  KeyStatus status(long nanos) {
    return refusal != null ? out
        : month.remaining() == 0 ? KeyStatus.USED_UP
            : penalty.remainingPause(nanos) > 0 ? KeyStatus.LIMITED : KeyStatus.USED;
  }

  /** What the service said when it put the key out; null if the key is not out. */
  @Nullable
  String refusal() {
    return refusal;
  }

  boolean isOut() {
    return refusal != null;
  }

  /** Nanoseconds until a key that is out is tried again. */
  long untilTrial(long nanos) {
    return Math.max(0, nextTrial - nanos);
  }

  /** Brings the month up to the present; a new one gives a used up key its calls again. */
  void advance(Instant now, boolean certain) {
    var before = month.startsAt();
    month.advance(now, certain);
    refusal = out == KeyStatus.USED_UP && !month.startsAt().equals(before) ? null : refusal;
  }

  /** Whether calls that are already permitted may still be sent with it. */
  boolean maySend() {
    return refusal == null || trialPermitted;
  }

  /** Calls in any minute, fewer after "too many calls"; none while it is out. */
  int minuteLimit(long nanos) {
    return refusal != null ? 0 : Math.max(1, (int) (limits.perMinute() * penalty.limitFactor(nanos)));
  }

  /** Calls in a second that it can make all the time. */
  double perSecond(long nanos) {
    return refusal != null ? 0 : Math.min(month.perSecond(), PlanLimits.PACE * minuteLimit(nanos) / 60);
  }

  /** Calls that it may make now. */
  long room(long nanos) {
    if (penalty.remainingPause(nanos) > 0) {
      return 0;
    }
    if (refusal != null) {
      return nanos - nextTrial >= 0 && month.remaining() > 0 ? 1 : 0;
    }
    return Math.min(month.remaining(), Math.max(0, minuteLimit(nanos) - window.used(nanos)));
  }

  /**
   * Nanoseconds until it may make one more call than now, more than 0. {@code Long.MAX_VALUE} where time alone does not
   * help: what remains of the month may be called now, or it is out and its trial is due.
   */
  long waitNanos(long nanos) {
    if (refusal != null) {
      var untilTrial = Math.max(nextTrial - nanos, penalty.remainingPause(nanos));
      return untilTrial > 0 && month.remaining() > 0 ? untilTrial : Long.MAX_VALUE;
    }
    if (month.remaining() <= room(nanos)) {
      return Long.MAX_VALUE;
    }
    var more = (int) Math.min(Integer.MAX_VALUE, room(nanos) + 1);
    return Math.max(1, Math.max(penalty.remainingPause(nanos), window.waitNanos(more, minuteLimit(nanos), nanos)));
  }

  /** Whether a call may be made that only asks for its calls. */
  boolean isAskable(long nanos) {
    return status(nanos) != KeyStatus.REFUSED && penalty.remainingPause(nanos) == 0
        && window.used(nanos) < Math.max(1, minuteLimit(nanos))
        && month.isAskable();
  }

  @Nullable
  KeyReport report() {
    return report;
  }

  /** A call is permitted that asks the service for its count. */
  void permitQuestion() {
    window.hold(1);
    month.spend(1);
    askedIn = month.startsAt();
  }

  /** The service counted the calls of the key, those of other programs too. A count of a month that is over is void. */
  void reported(KeyReport counted) {
    if (!month.startsAt().equals(askedIn)) {
      return;
    }
    report = counted;
    var remaining = counted.getRemaining() == null && counted.getPerMonth() != null && counted.getUsed() != null
        ? Long.valueOf(Math.max(0, counted.getPerMonth() - counted.getUsed()))
        : counted.getRemaining();
    if (remaining != null) {
      month.reported(remaining);
      refusal = out == KeyStatus.USED_UP && remaining > 0 ? null : refusal;
    }
  }

  /** A call is permitted; of a key that is out it is a trial, and the next one comes later. */
  void permit(long nanos) {
    window.hold(1);
    month.spend(1);
    if (refusal != null) {
      trialPermitted = true;
      trialBefore = nextTrial;
      trials++;
      nextTrial = nanos + trialInterval();
    }
  }

  /** A permitted call was not made. */
  void release() {
    window.release(1);
    month.release(1);
    if (trialPermitted) {
      trialPermitted = false;
      trials--;
      nextTrial = trialBefore;
    }
  }

  /** A permitted call was answered: the service stops counting it a minute later at the latest. */
  void answered(long nanos) {
    window.answered(nanos);
    month.answered();
    trialPermitted = false;
  }

  void penalise(@Nullable Duration retryAfter, long nanos) {
    penalty.raise(retryAfter, nanos);
  }

  /**
   * The service does not take calls of the key. Returns whether that is news.
   *
   * @param reason REFUSED or USED_UP
   */
  boolean refuse(KeyStatus reason, String message, long nanos) {
    var news = refusal == null;
    out = reason;
    refusal = message;
    outSince = nanos;
    if (news) {
      trials = 0;
      nextTrial = nanos + trialInterval();
    }
    return news;
  }

  /**
   * The service accepted the key of a call. Returns whether that is news: a call sent before the refusal says nothing.
   *
   * @param sentAt when the call was sent, in nanoseconds
   */
  boolean accept(long sentAt) {
    if (refusal == null || sentAt - outSince <= 0) {
      return false;
    }
    refusal = null;
    return true;
  }

  private long trialInterval() {
    return Math.min(FIRST_TRIAL.multipliedBy(1L << Math.min(trials, MOST_DOUBLINGS)).toNanos(),
        limits.probeInterval(LONGEST_TRIAL).toNanos());
  }

  /** Calls permitted and answered within the last minute, and those held. */
  int used(long nanos) {
    return window.used(nanos);
  }

  int sent(long nanos) {
    return window.sent(nanos);
  }

  long answeredInAll() {
    return window.answeredInAll();
  }

  /** What is committed of it with a reservation. */
  KeyUsage usage(Reservation reservation, long nanos) {
    return month.usage(reservation).setStatus(status(nanos).wire()).setMinute(window.seconds(nanos)).setReport(report)
        .build();
  }

  /**
   * The penalty for the answer "too many calls": a pause, then a limit lower by a tenth, which recovers by a hundredth each
   * minute.
   */
  private static final class RateLimitPenalty {

    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration USUAL = Duration.ofSeconds(60);
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final double LOWEST = 0.05;
    private static final double MINUTE = 60e9;

    private double limitFactor = 1;
    private long since;
    private long pausedUntil = Long.MIN_VALUE;

    /** Several such answers within one pause are one penalty. */
    void raise(@Nullable Duration retryAfter, long now) {
      if (remainingPause(now) == 0) {
        limitFactor = Math.max(LOWEST, limitFactor(now) * 0.9);
      }
      pausedUntil = Math.max(pausedUntil, now + clamp(retryAfter).toNanos());
      since = pausedUntil;
    }

    /** Nanoseconds until the pause ends. */
    long remainingPause(long now) {
      return pausedUntil == Long.MIN_VALUE ? 0 : Math.max(0, pausedUntil - now);
    }

    /** The part of the limit that applies now. */
    double limitFactor(long now) {
      return Math.min(1, limitFactor + 0.01 * Math.max(0, now - since) / MINUTE);
    }

    private static Duration clamp(@Nullable Duration retryAfter) {
      if (retryAfter == null || !retryAfter.isPositive()) {
        return USUAL;
      }
      return retryAfter.compareTo(SHORTEST) < 0 ? SHORTEST : retryAfter.compareTo(LONGEST) > 0 ? LONGEST : retryAfter;
    }
  }
}
