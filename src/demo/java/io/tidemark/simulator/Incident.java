package io.tidemark.simulator;

import java.time.Duration;

/**
 * When the one thing that a scenario is named for happens in an otherwise quiet market.
 *
 * @param planned whether the market has it at all, now or later
 * @param from epoch milliseconds at which it begins
 */
record Incident(boolean planned, long from) {
  static final Incident NONE = new Incident(false, Long.MAX_VALUE);

  private static final long LENGTH = Duration.ofMinutes(30).toMillis();

  /** Whether it has begun: for effects that stay. */
  boolean hasBegun(long at) {
    return planned && at >= from;
  }

  /** Whether it goes on: for effects that end after half an hour. */
  boolean isOngoing(long at) {
    return hasBegun(at) && at < from + LENGTH;
  }

  /** How much of its half hour has passed, from 0 to 1: for effects that come gradually and stay. */
  double progress(long at) {
    return planned ? Math.clamp((at - from) / (double) LENGTH, 0, 1) : 0;
  }
}
