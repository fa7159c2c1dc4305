package io.tidemark.capture.poll;

import io.tidemark.capture.poll.MonthlyBudget.CommittedKey;
import io.tidemark.capture.poll.PlanLimits.KeyLimits;
import io.tidemark.capture.poll.RemainingBudget.KeyRemaining;
import io.tidemark.capture.poll.RemainingBudget.KeyStatus;
import io.tidemark.event.KeyReport;
import io.tidemark.event.KeyUsage;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The budget of one key, which says how many calls the key may make now. This depends on the key's limits per minute
 * and per month, its penalty for the answer "too many calls", and whether the service accepts its calls. A key is out
 * if the service refuses it, or says that the key's calls of the month are used up. A key that is out is tried again
 * with one call from time to time.
 */
final class KeyBudget {

  /** Time after which a key that is out is tried again. The time doubles with each further trial. */
  static final Duration FIRST_TRIAL = Duration.ofSeconds(10);
  /**
   * Maximum time between two trials. It is exceeded only if the trials would otherwise take more than a hundredth of
   * the key's calls of the month.
   */
  private static final Duration LONGEST_TRIAL = Duration.ofHours(6);
  private static final int MOST_DOUBLINGS = 20;

  private final KeyLimits limits;
  private final MinuteWindow window = new MinuteWindow();
  private final RateLimitPenalty penalty = new RateLimitPenalty();
  private final MonthlyBudget month;
  /** Newest report of the service on the key; null if the service was not asked or did not answer. */
  private @Nullable KeyReport report;
  /** Reason for which the key was last put out, REFUSED or USED_UP; USED if it was never put out. */
  private KeyStatus out = KeyStatus.USED;
  /** Message of the service when it last put the key out; null if the key is not out. */
  private @Nullable String refusal;
  /** Number of trials since the key was put out. */
  private int trials;
  private long outSince;
  private long nextTrial;
  private long trialBefore;
  private boolean trialPermitted;
  /**
   * Start of the month in which the service was last asked for its count of the key's calls; null if it was never
   * asked.
   */
  private @Nullable Instant askedIn;

  /** @param before usage committed last for this key; null if none was ever committed */
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

  boolean isOut() {
    return refusal != null;
  }

  KeyRemaining remaining(Instant now, long nanos) {
    return new KeyRemaining(limits.name(), status(nanos), refusal,
        refusal == null ? null : now.plusNanos(Math.max(0, nextTrial - nanos)), month.remaining(), report);
  }

  /** Brings the month up to the present. In a new month, a key whose month was used up may make calls again. */
  void advance(Instant now, boolean certain) {
    var before = month.startsAt();
    month.advance(now, certain);
    refusal = out == KeyStatus.USED_UP && !month.startsAt().equals(before) ? null : refusal;
  }

  /** Returns whether calls that are already permitted may be sent with this key now. */
  boolean maySend(long nanos) {
    return penalty.remainingPause(nanos) == 0 && (refusal == null || trialPermitted);
  }

  /** Returns the calls allowed in any minute, reduced after "too many calls", or 0 while the key is out. */
  int minuteLimit(long nanos) {
    return refusal != null ? 0 : Math.max(1, (int) (limits.perMinute() * penalty.limitFactor(nanos)));
  }

  /** Returns the calls per second that the key can sustain for the rest of the month, or 0 while the key is out. */
  double perSecond(long nanos) {
    return refusal != null ? 0 : Math.min(month.perSecond(), PlanLimits.PACE * minuteLimit(nanos) / 60);
  }

  /** Returns the number of calls that the key may make now. */
  long room(long nanos) {
    if (penalty.remainingPause(nanos) > 0) {
      return 0;
    }
    if (refusal != null) {
      return nanos - nextTrial >= 0 && month.remaining() > 0 ? 1 : 0;
    }
    return Math.min(month.remaining(), Math.max(0, minuteLimit(nanos) - used(nanos)));
  }

  /**
   * Returns the nanoseconds, more than 0, until the key may make one more call than now. Returns {@code
   * Long.MAX_VALUE} if time alone does not help before the month ends: the remaining calls of the month may all be
   * made now, the key is out and its trial is due or no calls of the month remain, or the calls that are not answered
   * yet use up the limit per minute.
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
    var limit = minuteLimit(nanos) - month.outstanding();
    return Math.max(1, Math.max(penalty.remainingPause(nanos), window.waitNanos(more, limit, nanos)));
  }

  /** Returns whether the key may make a call that only asks the service for its count of the key's calls. */
  boolean isAskable(long nanos) {
    return status(nanos) != KeyStatus.REFUSED && penalty.remainingPause(nanos) == 0
        && used(nanos) < Math.max(1, minuteLimit(nanos))
        && month.isAskable();
  }

  /** Permits a call that asks the service for its count of the key's calls. */
  void permitQuestion() {
    month.spend();
    askedIn = month.startsAt();
  }

  /**
   * Applies the service's count of the key's calls, which includes the calls of other programs. Ignores a count of a
   * month that is over.
   */
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

  /** Permits a call. If the key is out, the call is a trial, and the next trial comes later. */
  void permit(long nanos) {
    month.spend();
    if (refusal != null) {
      trialPermitted = true;
      trialBefore = nextTrial;
      trials++;
      nextTrial = nanos + trialInterval();
    }
  }

  /** Takes back a permitted call that was not made. Returns whether the call was a trial. */
  boolean release() {
    month.release();
    var wasTrial = trialPermitted;
    if (wasTrial) {
      trialPermitted = false;
      trials--;
      nextTrial = trialBefore;
    }
    return wasTrial;
  }

  /** Records that a call that was sent is over, answered or not. */
  void answered(long nanos) {
    window.answered(nanos);
    month.answered();
    trialPermitted = false;
  }

  void penalise(@Nullable Duration retryAfter, long nanos) {
    penalty.raise(retryAfter, nanos);
  }

  /**
   * Takes the key out of use, because the service does not accept its calls. Returns whether the key was not out
   * before.
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
   * Records that the service accepted the key in a call. Returns whether this acceptance ends a time in which the key
   * was out. A call that was sent before the service refused the key changes nothing.
   *
   * @param sentAt time at which the call was sent, in nanoseconds
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

  /** Returns the calls answered within the last minute, plus the calls that are permitted but not answered yet. */
  int used(long nanos) {
    return sent(nanos) + month.outstanding();
  }

  int sent(long nanos) {
    return window.sent(nanos);
  }

  long answeredInAll() {
    return window.answeredInAll();
  }

  /** Returns the usage of the key that is committed with a reservation. */
  KeyUsage usage(long reservation, long nanos) {
    return month.usage(reservation).setStatus(status(nanos).wire()).setMinute(window.seconds(nanos)).setReport(report)
        .build();
  }

  /**
   * The penalty for the answer "too many calls": a pause, then a limit per minute reduced by a tenth, but not below a
   * twentieth of the full limit. It recovers by a hundredth of the full limit per minute.
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

    /** Within the pause, further answers "too many calls" may extend the pause, but do not reduce the limit again. */
    void raise(@Nullable Duration retryAfter, long now) {
      if (remainingPause(now) == 0) {
        limitFactor = Math.max(LOWEST, limitFactor(now) * 0.9);
      }
      pausedUntil = Math.max(pausedUntil, now + clamp(retryAfter).toNanos());
      since = pausedUntil;
    }

    /** Returns the nanoseconds until the pause ends. */
    long remainingPause(long now) {
      return pausedUntil == Long.MIN_VALUE ? 0 : Math.max(0, pausedUntil - now);
    }

    /** Returns the part of the limit per minute that applies now. */
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
