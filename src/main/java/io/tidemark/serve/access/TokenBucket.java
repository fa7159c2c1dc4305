package io.tidemark.serve.access;

import java.time.Duration;
import java.time.InstantSource;

/** A rate limit that allows bursts: tokens arrive evenly and are saved up to those of a minute. */
final class TokenBucket {

  private static final double MILLIS_PER_MINUTE = 60_000.0;

  private final double perMilli;
  private final double most;
  private final InstantSource clock;
  private double tokens;
  private long filledAt;

  TokenBucket(int perMinute, InstantSource clock) {
    this.perMilli = perMinute / MILLIS_PER_MINUTE;
    this.most = perMinute;
    this.clock = clock;
    this.tokens = perMinute;
    this.filledAt = clock.millis();
  }

  /** Takes a token and returns zero. If no token is available, returns the time until the next token. */
  synchronized Duration tryTake() {
    var wait = untilNext();
    if (wait.isZero()) {
      tokens--;
    }
    return wait;
  }

  /** Returns the time until a token is available, or zero if one is available now. */
  synchronized Duration untilNext() {
    var now = clock.millis();
    tokens = Math.min(most, tokens + Math.max(0, now - filledAt) * perMilli); // a clock may be set back
    filledAt = now;
    return tokens >= 1 ? Duration.ZERO : Duration.ofMillis((long) Math.ceil((1 - tokens) / perMilli));
  }
}
