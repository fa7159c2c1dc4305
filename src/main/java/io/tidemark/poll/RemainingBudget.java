package io.tidemark.poll;

import java.time.Duration;
import java.time.Instant;

/**
 * What may still be spent of a source's plan.
 *
 * @param minuteLimit calls in any minute, ours, after what "too many calls" cost us
 * @param minuteRemaining of these, those that could be granted now
 * @param monthLimit calls of the month, ours
 * @param monthRemaining of these, those not spent; 0 where the service says that none are left
 * @param monthEndsAt when the month's count begins anew
 * @param sentLastMinute calls made in the last minute
 * @param sent calls made by this limiter
 */
public record RemainingBudget(
    int minuteLimit, int minuteRemaining, long monthLimit, long monthRemaining, Instant monthEndsAt, int sentLastMinute,
    long sent) {

  private static final Duration FOR_EVER = Duration.ofDays(366);

  /** How long the rest of the month's calls lasts when every minute costs what the last did; at most a year. */
  public Duration lastsFor() {
    if (monthRemaining <= 0) {
      return Duration.ZERO;
    }
    var minutes = sentLastMinute == 0 ? Double.MAX_VALUE : (double) monthRemaining / sentLastMinute;
    return minutes < FOR_EVER.toMinutes() ? Duration.ofSeconds((long) (minutes * 60)) : FOR_EVER;
  }
}
