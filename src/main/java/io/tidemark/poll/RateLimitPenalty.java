package io.tidemark.poll;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The penalty for the answer "too many calls": a pause, then a limit lower by a tenth, which recovers by a hundredth each
 * minute.
 */
final class RateLimitPenalty {

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
