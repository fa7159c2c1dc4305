package io.tidemark.change;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How many pools came and went unseen between two looks at a list of newest pools. */
final class Missed {
  private Missed() {}

  /**
   * The time between the newest pool of the look before and the oldest of this one, at the pace of the pools of this
   * one. Null where their times of creation do not tell.
   */
  static @Nullable Long estimate(List<String> before, List<String> now, Names names) {
    List<Instant> seen = created(now, names);
    List<Instant> known = created(before, names);
    if (seen.size() < 2 || known.isEmpty()) {
      return null;
    }
    long span = Duration.between(seen.get(0), seen.get(seen.size() - 1)).toMillis();
    long gap = Duration.between(known.get(known.size() - 1), seen.get(0)).toMillis();
    return span <= 0 || gap < 0 ? null : Math.max(0, Math.round((seen.size() - 1.0) * gap / span) - 1);
  }

  /** Oldest first. */
  private static List<Instant> created(List<String> pools, Names names) {
    return pools.stream()
        .map(pool -> Novelty.created(names.known(Kind.POOL, pool)))
        .filter(Objects::nonNull)
        .sorted()
        .toList();
  }
}
