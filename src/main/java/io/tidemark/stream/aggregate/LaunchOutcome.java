package io.tidemark.stream.aggregate;

import io.tidemark.event.LaunchedPool;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of a new pool by an age. */
enum LaunchOutcome {
  HELD,
  LOST,
  NOT_OBSERVED,
  PENDING;

  /** Judged so much later: only then is it known which pools were out of sight. */
  static final Duration DELAY = Duration.ofMinutes(30);

  /** The part of its first reserve that a pool which held still has. */
  private static final double HELD_SHARE = 0.5;

  /** @param reserve the last that was known at that age; null where none was */
  static LaunchOutcome of(LaunchedPool pool, Duration age, @Nullable Double reserve, Instant at) {
    var then = pool.getCreatedAt().plus(age);
    if (at.isBefore(then.plus(DELAY))) {
      return PENDING;
    }
    if (pool.getRemovedAt() != null && !pool.getRemovedAt().isAfter(then)) {
      return LOST;
    }
    if (!wasObserved(pool, then) || reserve == null || pool.getFirstReserveUsd() == null) {
      return NOT_OBSERVED;
    }
    return reserve >= HELD_SHARE * pool.getFirstReserveUsd() ? HELD : LOST;
  }

  private static boolean wasObserved(LaunchedPool pool, Instant then) {
    return pool.getVisible() || (pool.getLastObservedAt() != null && !pool.getLastObservedAt().isBefore(then));
  }
}
