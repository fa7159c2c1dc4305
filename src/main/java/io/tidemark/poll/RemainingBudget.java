package io.tidemark.poll;

import java.time.Duration;
import java.time.Instant;

/**
 * What remains of a source's budget.
 *
 * @param minuteLimit calls allowed in any minute, less the penalty for "too many calls"
 * @param minuteRemaining of these, the calls that would be permitted now
 * @param monthLimit calls allowed in the month
 * @param monthRemaining of these, the calls not spent; 0 where the service says that the credits are used up
 * @param monthEndsAt when the count of the month starts again
 * @param sentLastMinute calls sent in the last minute
 * @param sent calls sent by this limiter
 */
public record RemainingBudget(
    int minuteLimit, int minuteRemaining, long monthLimit, long monthRemaining, Instant monthEndsAt, int sentLastMinute,
    long sent) {

  private static final Duration FOR_EVER = Duration.ofDays(366);

  /** How long the remaining calls of the month last at the rate of the last minute; at most a year. */
  public Duration lastsFor() {
    if (monthRemaining <= 0) {
      return Duration.ZERO;
    }
    var minutes = sentLastMinute == 0 ? Double.MAX_VALUE : (double) monthRemaining / sentLastMinute;
    return minutes < FOR_EVER.toMinutes() ? Duration.ofSeconds((long) (minutes * 60)) : FOR_EVER;
  }
}
