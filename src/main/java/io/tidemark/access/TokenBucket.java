package io.tidemark.access;

import java.time.Duration;
import java.time.InstantSource;

/** A limit on a rate that allows bursts: tokens come evenly, up to a most that may be taken at once. */
final class TokenBucket {

  private static final double MILLIS_PER_MINUTE = 60_000.0;

  private final double perMilli;
  private final double most;
  private final InstantSource clock;
  private double tokens;
  private long filledAt;

  TokenBucket(int perMinute, int most, InstantSource clock) {
    this.perMilli = perMinute / MILLIS_PER_MINUTE;
    this.most = most;
    this.clock = clock;
    this.tokens = most;
    this.filledAt = clock.millis();
  }

  /** Takes a token and returns zero; where there is none, takes nothing and returns the time until there is one. */
  synchronized Duration tryTake() {
    var wait = untilNext();
    if (wait.isZero()) {
      tokens--;
    }
    return wait;
  }

  /** Zero where there is a token. */
  synchronized Duration untilNext() {
    var now = clock.millis();
    tokens = Math.min(most, tokens + Math.max(0, now - filledAt) * perMilli); // a clock may be set back
    filledAt = now;
    return tokens >= 1 ? Duration.ZERO : Duration.ofMillis((long) Math.ceil((1 - tokens) / perMilli));
  }
}
