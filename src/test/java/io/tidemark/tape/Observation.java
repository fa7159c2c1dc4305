package io.tidemark.tape;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One resource as one page showed it.
 *
 * @param identity what names it on the tape, by field
 * @param asOf the service's own time of it; null where it cannot be known
 * @param rank place in the page's list, from 1; 0 where it is in none
 */
record Observation(
    String resource,
    String key,
    Map<String, Object> identity,
    Map<String, Shown> facets,
    @Nullable Instant asOf,
    int rank) {

  Ref ref() {
    return new Ref(resource, key);
  }

  @Nullable
  Object value(String facet, String attribute) {
    Shown shown = facets.get(facet);
    return shown == null ? null : shown.values().get(attribute);
  }

  /** Names a resource. */
  record Ref(String resource, String key) {}
}
