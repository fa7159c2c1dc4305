package io.tidemark.stream.aggregate;

import io.tidemark.event.LaunchedPool;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What became of a new pool by an age. */
enum Judgement {
  HELD,
  LOST,
  NOT_SEEN,
  PENDING;

  /** Judged so much later: only then is it known which pools were out of sight. */
  static final Duration SETTLED = Duration.ofMinutes(30);

  /** The part of its first reserve that a pool which held still has. */
  private static final double HOLDS = 0.5;

  /** @param reserve the last that was known at that age; null where none was */
  static Judgement of(LaunchedPool pool, Duration age, @Nullable Double reserve, Instant at) {
    var then = pool.getCreatedAt().plus(age);
    if (at.isBefore(then.plus(SETTLED))) {
      return PENDING;
    }
    if (pool.getLeftAt() != null && !pool.getLeftAt().isAfter(then)) {
      return LOST;
    }
    if (!wasSeen(pool, then) || reserve == null || pool.getFirstReserveUsd() == null) {
      return NOT_SEEN;
    }
    return reserve >= HOLDS * pool.getFirstReserveUsd() ? HELD : LOST;
  }

  private static boolean wasSeen(LaunchedPool pool, Instant then) {
    return pool.getInSight() || (pool.getLastSeenAt() != null && !pool.getLastSeenAt().isBefore(then));
  }
}
