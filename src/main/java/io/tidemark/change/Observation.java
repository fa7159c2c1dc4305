package io.tidemark.change;

import io.tidemark.market.Seen;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One resource as one page showed it.
 *
 * @param asOf the service's own time of it, null where it cannot be known
 * @param rank its place in the list that the target is, from 1; 0 where it is none or only came along
 */
record Observation(Kind kind, String key, Seen<?> seen, @Nullable Instant asOf, int rank) {
  static Observation of(Kind kind, Seen<?> seen, @Nullable Instant asOf) {
    return new Observation(kind, kind.key(seen.resource()), seen, asOf, 0);
  }
}
