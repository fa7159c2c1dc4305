package io.tidemark.change;

import io.tidemark.change.PageObservations.FacetObservation;
import io.tidemark.event.FacetMemory;
import java.time.Duration;
import java.time.Instant;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decides what an observation of a facet counts where several targets show the resource. The informant is the target
 * whose value stands. Another becomes informant only where its observation is not older, and news against what the same
 * target showed before.
 *
 * @param facetMemory what is remembered of the facet; null where nothing is
 * @param target index of the observing target in the memory
 * @param observedAsOf the time by which observations are older or newer; null where it is not known
 */
record InformantElection(SnapshotContext context, DetectionMemory memory, String key, @Nullable FacetMemory facetMemory,
    int target, @Nullable Instant observedAsOf) {

  /** How much older than what is known an observation may be. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /** What an observation counts. */
  enum Vote {
    /** Nothing was known of the facet: the target becomes informant. */
    FIRST,
    /** The target shows what it showed before. */
    REPEATED,
    /** Another target is informant; the observation adds only what is unknown. */
    ADDS,
    /** The target becomes informant, and its value stands. */
    ELECTED,
    /** The observation is older than what is known. */
    REJECTED
  }

  Vote decide(FacetObservation observation, @Nullable IndexedRecord known) {
    if (facetMemory == null) {
      return Vote.FIRST;
    }
    var last = DetectionMemory.observation(facetMemory, target);
    if (last == null) {
      return isInformantGone(facetMemory) ? elect(facetMemory) : Vote.ADDS;
    }
    if (last.getDigest() == observation.digest() && !isUncontested(observation, known, facetMemory)) {
      return Vote.REPEATED;
    }
    return elect(facetMemory);
  }

  private Vote elect(FacetMemory ofFacet) {
    return isOlder(observedAsOf, newestAsOf(ofFacet)) ? Vote.REJECTED : Vote.ELECTED;
  }

  /** Whether the target still shows what did not prevail, and the informant no longer shows the resource. */
  private boolean isUncontested(FacetObservation observation, @Nullable IndexedRecord known, FacetMemory ofFacet) {
    return ofFacet.getInformant() != target && observation.conflictsWith(known) && isInformantGone(ofFacet);
  }

  private boolean isInformantGone(FacetMemory ofFacet) {
    return context.visibility().showing(memory.informant(ofFacet), key) == null;
  }

  /** The service's own time of what is known: of the informant's newest snapshot where that still shows the resource. */
  private @Nullable Instant newestAsOf(FacetMemory ofFacet) {
    var informant = memory.informant(ofFacet);
    var showing = informant.equals(context.target().name()) ? null : context.visibility().showing(informant, key);
    return later(ofFacet.getAsOf(), showing == null ? null : showing.getAsOf());
  }

  /** Whether a time lies before another by more than the tolerance. */
  static boolean isOlder(@Nullable Instant observed, @Nullable Instant known) {
    return observed != null && known != null && observed.isBefore(known.minus(TOLERANCE));
  }

  static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }
}
