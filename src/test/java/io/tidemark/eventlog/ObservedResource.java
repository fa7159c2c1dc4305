package io.tidemark.eventlog;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One resource as one page shows it.
 *
 * @param identity the fields that identify it in the event log
 * @param asOf the service's own time of it; null if unknown
 * @param inList whether it is in the page's list of pools
 */
record ObservedResource(
    String resource,
    String key,
    Map<String, Object> identity,
    Map<String, ObservedFacet> facets,
    @Nullable Instant asOf,
    boolean inList) {

  Ref ref() {
    return new Ref(resource, key);
  }

  @Nullable
  Object value(String facet, String attribute) {
    ObservedFacet observed = facets.get(facet);
    return observed == null ? null : observed.values().get(attribute);
  }

  /** The name of a resource. */
  record Ref(String resource, String key) {}
}
