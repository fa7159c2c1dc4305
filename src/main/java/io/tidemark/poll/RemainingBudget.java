package io.tidemark.poll;

import io.tidemark.event.KeyReport;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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
 * @param keys what remains of each key; one that is out is in none of the sums
 */
public record RemainingBudget(
    int minuteLimit, int minuteRemaining, long monthLimit, long monthRemaining, Instant monthEndsAt, int sentLastMinute,
    long sent, List<KeyRemaining> keys) {

  /**
   * What remains of one key.
   *
   * @param name of the configuration, or the position there from 1 on
   * @param refusal what the service said when it put the key out; null if the key is not out
   * @param nextTrial when it is tried again; null if the key is not out
   * @param report what the service reported of it; null where it was not asked or did not answer
   */
  public record KeyRemaining(
      String name, KeyStatus status, @Nullable String refusal, @Nullable Instant nextTrial, long monthRemaining,
      @Nullable KeyReport report) {}

  /** Whether a key is used, and why not. */
  public enum KeyStatus {
    USED,
    /** The service answered "too many calls": the key rests, then makes fewer calls for a while. */
    LIMITED,
    /** Its calls of the month are used up, by the count of this program or as the service says. */
    USED_UP,
    /** The service does not accept it. */
    REFUSED;

    /** As records and metrics name it. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    static KeyStatus of(String wire) {
      return valueOf(wire.toUpperCase(Locale.ROOT));
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

  /** Which keys are out, why, and when they are tried again, in a sentence; null where none is. */
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
