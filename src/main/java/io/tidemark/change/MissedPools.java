package io.tidemark.change;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** How many pools came and went unseen between two looks at a list of newest pools. */
final class MissedPools {
  private MissedPools() {}

  /**
   * The time between the newest pool of the look before and the oldest of this one, at the pace of the pools of this
   * one. Null where their times of creation do not tell.
   */
  static @Nullable Long estimate(List<String> before, List<String> now, KnownResources names) {
    List<Instant> observed = created(now, names);
    List<Instant> known = created(before, names);
    if (observed.size() < 2 || known.isEmpty()) {
      return null;
    }
    long span = Duration.between(observed.get(0), observed.get(observed.size() - 1)).toMillis();
    long gap = Duration.between(known.get(known.size() - 1), observed.get(0)).toMillis();
    return span <= 0 || gap < 0 ? null : Math.max(0, Math.round((observed.size() - 1.0) * gap / span) - 1);
  }

  /** Oldest first. */
  private static List<Instant> created(List<String> pools, KnownResources names) {
    return pools.stream()
        .map(pool -> AppearanceDetector.created(names.known(ResourceKind.POOL, pool)))
        .filter(Objects::nonNull)
        .sorted()
        .toList();
  }
}
