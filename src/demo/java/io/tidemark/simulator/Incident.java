package io.tidemark.simulator;

import java.time.Duration;

/**
 * The one event for which a scenario is named, in an otherwise quiet market.
 *
 * @param planned whether the incident ever happens in this market
 * @param from epoch milliseconds at which the incident begins
 */
record Incident(boolean planned, long from) {
  static final Incident NONE = new Incident(false, Long.MAX_VALUE);

  private static final long LENGTH = Duration.ofMinutes(30).toMillis();

  /** Returns whether the incident has begun. Used for effects that stay. */
  boolean hasBegun(long at) {
    return planned && at >= from;
  }

  /** Returns whether the incident is going on. Used for effects that end after half an hour. */
  boolean isOngoing(long at) {
    return hasBegun(at) && at < from + LENGTH;
  }

  /**
   * Returns the share of the incident's half hour that has passed, 0 to 1. Used for effects that come gradually and
   * stay.
   */
  double progress(long at) {
    return planned ? Math.clamp((at - from) / (double) LENGTH, 0, 1) : 0;
  }
}
