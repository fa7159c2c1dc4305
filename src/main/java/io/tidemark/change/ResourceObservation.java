package io.tidemark.change;

import io.tidemark.market.Observation;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One resource as one page showed it.
 *
 * @param asOf the service's own time of it, null where it cannot be known
 * @param order the time by which looks at it are older or newer: its own where its kind has one, else {@code asOf}. Null
 *     where its own is missing: another clock's would not compare.
 * @param rank its place in the list that the target is, from 1; 0 where it is none or only came along
 */
record ResourceObservation(ResourceKind kind, String key, Observation<?> observed, @Nullable Instant asOf,
    @Nullable Instant order, int rank) {
  static ResourceObservation of(ResourceKind kind, Observation<?> observed, @Nullable Instant asOf) {
    return new ResourceObservation(kind, kind.key(observed.resource()), observed, asOf, asOf, 0);
  }
}
