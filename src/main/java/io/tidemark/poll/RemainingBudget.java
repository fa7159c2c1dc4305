package io.tidemark.poll;

import static java.util.stream.Collectors.joining;

import io.tidemark.event.KeyReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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
 * @param keys what remains of each key; a refused one is in none of the sums
 */
public record RemainingBudget(
    int minuteLimit, int minuteRemaining, long monthLimit, long monthRemaining, Instant monthEndsAt, int sentLastMinute,
    long sent, List<KeyRemaining> keys) {

  /**
   * What remains of one key.
   *
   * @param name of the configuration, or the position there from 1 on
   * @param refusal why the service refuses it; null where it does not
   * @param report what the service reported of it; null where it was not asked or did not answer
   */
  public record KeyRemaining(
      String name, KeyStatus status, @Nullable String refusal, long monthRemaining, @Nullable KeyReport report) {}

  /** Whether a key is used, and why not. */
  public enum KeyStatus {
    USED,
    /** The service answered "too many calls": the key rests, then makes fewer calls for a while. */
    LIMITED,
    /** Its calls of the month are used up. */
    USED_UP,
    /** The service does not accept it. */
    REFUSED;

    /** As records and metrics name it. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final Duration FOR_EVER = Duration.ofDays(366);

  /** How long the remaining calls of the month last at the rate of the last minute; at most a year. */
  public Duration lastsFor() {
    if (monthRemaining <= 0) {
      return Duration.ZERO;
    }
    var minutes = sentLastMinute == 0 ? Double.MAX_VALUE : (double) monthRemaining / sentLastMinute;
    return minutes < FOR_EVER.toMinutes() ? Duration.ofSeconds((long) (minutes * 60)) : FOR_EVER;
  }

  /** Which of several keys are out and why, in a sentence; null where none is. */
  public @Nullable String keysOut() {
    var out = keys.stream().filter(key -> key.status() == KeyStatus.REFUSED || key.status() == KeyStatus.USED_UP)
        .toList();
    return keys.size() == 1 || out.isEmpty() ? null
        : "%d of %d keys are out: %s".formatted(out.size(), keys.size(), out.stream()
            .map(key -> key.name() + (key.refusal() == null
                ? " (its credits of the month are used up)"
                : " (refused: " + key.refusal() + ")"))
            .collect(joining(", ")));
  }
}
