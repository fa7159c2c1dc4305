package io.tidemark.capture.poll;

import io.tidemark.event.KeyReport;
import io.tidemark.market.WireValue;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The remaining budget of a source.
 *
 * @param minuteLimit calls allowed in any minute, less the penalty for "too many calls"
 * @param minuteRemaining calls that the limit per minute would permit now
 * @param monthLimit calls allowed in the month
 * @param monthRemaining calls of the month that are not spent; 0 if all keys are out
 * @param monthEndsAt time at which the count of the month restarts
 * @param sentLastMinute calls answered in the last minute, including those of the previous owner of the source
 * @param sent calls of this limiter that were answered
 * @param keys remaining budget of each key. The limits and the remaining calls above do not include a key that is out
 */
public record RemainingBudget(
    int minuteLimit, int minuteRemaining, long monthLimit, long monthRemaining, Instant monthEndsAt, int sentLastMinute,
    long sent, List<KeyRemaining> keys) {

  /**
   * The remaining budget of one key.
   *
   * @param name configured name, or position in the configuration from 1 on
   * @param refusal message of the service when it put the key out; null if the key is not out
   * @param nextTrial time at which the key is tried again; null if the key is not out
   * @param report newest report of the service on the key; null if the service was not asked or did not answer
   */
  public record KeyRemaining(
      String name, KeyStatus status, @Nullable String refusal, @Nullable Instant nextTrial, long monthRemaining,
      @Nullable KeyReport report) {}

  /** The status of a key, by its name in records and metrics: in use, or the reason why it is not in use. */
  public enum KeyStatus implements WireValue {
    USED,
    /** The key rests after the answer "too many calls". When it is in use again, it makes fewer calls for a while. */
    LIMITED,
    /** The key's calls of the month are used up, by the count of this program or of the service. */
    USED_UP,
    /** The service does not accept the key. */
    REFUSED;

    static KeyStatus of(String wire) {
      return valueOf(wire.toUpperCase(Locale.ROOT));
    }
  }

  private static final Duration FOR_EVER = Duration.ofDays(366);

  /** Returns how long the remaining calls of the month last at the rate of the last minute, at most a year. */
  public Duration lastsFor() {
    if (monthRemaining <= 0) {
      return Duration.ZERO;
    }
    var minutes = sentLastMinute == 0 ? Double.MAX_VALUE : (double) monthRemaining / sentLastMinute;
    return minutes < FOR_EVER.toMinutes() ? Duration.ofSeconds((long) (minutes * 60)) : FOR_EVER;
  }

  /**
   * Returns a sentence on which keys are out or used up, why, and when they are tried again or their month ends, or
   * null if there are no such keys.
   */
  public @Nullable String keysOut() {
    var out = keys.stream().filter(key -> key.status() == KeyStatus.REFUSED || key.status() == KeyStatus.USED_UP)
        .map(key -> key.name() + " (" + key.status().wire().replace('_', ' ')
            + (key.refusal() == null ? " until the month ends at " + monthEndsAt
                : ": " + key.refusal() + "; tried again at "
                    + Objects.requireNonNull(key.nextTrial()).truncatedTo(ChronoUnit.SECONDS))
            + ")")
        .toList();
    return out.isEmpty() ? null
        : "%d of %d keys are out: %s".formatted(out.size(), keys.size(), String.join(", ", out));
  }
}
