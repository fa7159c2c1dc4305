package io.tidemark.capture.change;

import io.tidemark.capture.change.PageObservations.FacetObservation;
import io.tidemark.event.FacetMemory;
import java.time.Duration;
import java.time.Instant;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/**
 * Decides how an observation of a facet counts if several targets show the resource. The informant is the target
 * whose value counts as known. Another target becomes informant only if its observation is newer than the informant's
 * newest observation by more than the tolerance. As long as the informant shows the resource, the observation must
 * also differ from a previous observation of the same target. After that, a repeated observation counts too if it
 * differs from the known value.
 *
 * <p>An observation without a time is neither newer nor older than another observation. If the time of either
 * observation is missing, another target becomes informant only if the informant no longer shows the resource.
 *
 * @param facetMemory memory of the facet; null if nothing is remembered
 * @param target index of the observing target in the memory; negative if the target is not remembered
 * @param observedAsOf time of the observation, which decides which of two observations is newer; null if not known. If
 *     the kind is dated, it is the resource's own time, which is not comparable with the times of snapshots
 */
record InformantElection(SnapshotContext context, DetectionMemory memory, ResourceKind kind, String key,
    @Nullable FacetMemory facetMemory, int target, @Nullable Instant observedAsOf) {

  /** Maximum error in the difference between the service's times of two answers. */
  private static final Duration TOLERANCE = Duration.ofSeconds(2);

  /** How an observation counts. */
  enum Vote {
    /** Nothing was known about the facet, and the target becomes informant. */
    FIRST,
    /** The target shows the same values as in its previous observation, and the known value stays as it is. */
    REPEATED,
    /** Another target is the informant, and the observation adds only unknown values. */
    ADDS,
    /** The target becomes or stays informant, and its value becomes the known value. */
    ELECTED,
    /** The observation is rejected: the informant is another target, whose observation may be newer. */
    CONCURRENT,
    /** The observation is rejected: it is older than the informant's newest observation. */
    OLDER;

    /** Returns the reason that snapshots report for the rejection, or null if the observation is not rejected. */
    @Nullable
    String rejection() {
      return switch (this) {
        case CONCURRENT -> SnapshotContext.CONCURRENT;
        case OLDER -> SnapshotContext.OLDER;
        case FIRST, REPEATED, ADDS, ELECTED -> null;
      };
    }
  }

  /**
   * @param digest fingerprint of the observation
   * @param known the known value of the facet; null if no value is known
   */
  Vote decide(FacetObservation observation, long digest, @Nullable IndexedRecord known) {
    if (facetMemory == null) {
      return Vote.FIRST;
    }
    var last = DetectionMemory.observation(facetMemory, target);
    var isRepeated = last != null && last.getDigest() == digest;
    if (facetMemory.getInformant() == target) {
      return isRepeated ? Vote.REPEATED : isSuperseded(facetMemory) ? Vote.OLDER : Vote.ELECTED;
    }
    if (isRepeated) {
      return observation.conflictsWith(known) && isInformantGone(facetMemory) ? elect(facetMemory) : Vote.REPEATED;
    }
    return last == null && !isInformantGone(facetMemory) ? Vote.ADDS : elect(facetMemory);
  }

  /**
   * Returns whether the target's own newest observation is newer. For a snapshot that is committed after newer ones, the
   * times of this machine decide too if a time of the service is missing, or if these times are the resource's own, which
   * may be the same in both observations. For a contract, the times of the answers decide instead of the resource's own,
   * which is the time of the last trade: the funding, the index and the open interest change between trades.
   */
  private boolean isSuperseded(FacetMemory ofFacet) {
    var newest = newestAsOf(ofFacet);
    if (kind == ResourceKind.CONTRACT
        ? isOlder(context.asOf(), context.visibility().asOfLastShownBy(context.target().name(), kind, key))
        : isOlder(observedAsOf, newest)) {
      return true;
    }
    if (!context.isOutOfOrder() || (!kind.isDated() && observedAsOf != null && newest != null)) {
      return false;
    }
    var shown = context.visibility().lastShownBy(context.target().name(), kind, key);
    return ofFacet.getObservedAt().isAfter(context.observedAt())
        || (shown != null && shown.isAfter(context.observedAt()));
  }

  private Vote elect(FacetMemory ofFacet) {
    var newest = newestAsOf(ofFacet);
    if (observedAsOf == null || newest == null) {
      return isInformantGone(ofFacet) ? Vote.ELECTED : Vote.CONCURRENT;
    }
    if (isOlder(newest, observedAsOf)) {
      return Vote.ELECTED;
    }
    return isOlder(observedAsOf, newest) ? Vote.OLDER : Vote.CONCURRENT;
  }

  /**
   * Returns whether the informant was not observed for three times its gap, or does not show the resource. Returns
   * true if there is no informant because detection itself derives the facet.
   */
  private boolean isInformantGone(FacetMemory ofFacet) {
    var informant = memory.informant(ofFacet);
    return informant == null || !context.visibility().canInform(informant, kind, key);
  }

  /** Returns the time of the informant's newest observation, or null if no plausible time is known. */
  private @Nullable Instant newestAsOf(FacetMemory ofFacet) {
    var informant = memory.informant(ofFacet);
    var known = SnapshotContext.plausible(ofFacet.getAsOf(), context.now());
    return kind.isDated() || informant == null
        ? known
        : later(known, context.visibility().asOfLastShownBy(informant, kind, key));
  }

  /** Returns whether a time is before a known time by more than the tolerance. Returns false if either is null. */
  static boolean isOlder(@Nullable Instant observed, @Nullable Instant known) {
    return observed != null && known != null && observed.isBefore(known.minus(TOLERANCE));
  }

  static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }
}
