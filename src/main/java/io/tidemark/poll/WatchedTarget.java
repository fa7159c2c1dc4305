package io.tidemark.poll;

import io.tidemark.market.Target;
import java.time.Duration;

/**
 * A target that is watched.
 *
 * @param period how often the service refreshes it: looking more often shows nothing new
 * @param weight how much it matters, compared with 1
 */
public record WatchedTarget(Target target, Duration period, double weight) {

  public WatchedTarget {
    if (!period.isPositive()) {
      throw new IllegalArgumentException("refresh: more than nothing, not " + period);
    }
    if (!(weight > 0) || weight > 1000) {
      throw new IllegalArgumentException("weight: above 0 and at most 1000, not " + weight);
    }
  }
}
