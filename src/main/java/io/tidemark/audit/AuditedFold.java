package io.tidemark.audit;

import io.tidemark.audit.ResourceChecker.NewestState;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FoldedResource;
import io.tidemark.event.Origin;
import io.tidemark.event.RankingOrderChange;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The fold of the changes of one resource, which results from applying the changes in order. It holds a hash of each
 * facet, and the offset of the change that last set the facet. For a ranking, it holds the order.
 */
final class AuditedFold {

  private static final long UNKNOWN = -1;

  private final ChangeView view;
  private final long[] setAt;
  private final int[] informants;
  private final long[] asOf;
  private final long[] hashesBefore;
  private @Nullable FoldedResource<Long> fold;
  private long offset;
  private long settledGeneration;
  private long settledRevision;
  private boolean begun;
  private @Nullable String target;

  AuditedFold(ChangeView view) {
    this.view = view;
    var facets = view.facets().size();
    setAt = new long[facets];
    informants = new int[facets];
    asOf = new long[facets];
    hashesBefore = new long[facets];
    Arrays.fill(setAt, UNKNOWN);
    Arrays.fill(asOf, UNKNOWN);
  }

  /** Begins a generation in which no facet has a value yet, with the change at the given offset. */
  void begin(long at) {
    fold = null;
    begun = true;
    Arrays.fill(setAt, at);
    Arrays.fill(asOf, UNKNOWN);
  }

  /**
   * Folds the next change.
   *
   * @param settled whether the change lies before the end of the changes that was noted before the states were read,
   *     so that its state, or a newer one, was read
   */
  void add(AuditedChange change, boolean settled) {
    fold = FoldedResource.fold(fold, change.value(), ValueHash::of);
    offset = change.record().offset();
    for (var index = 0; index < setAt.length; index++) {
      var facetChange = view.facets().get(index).changeIn(change.value());
      setAt[index] = facetChange != null || change.isKeyFrame() ? offset : setAt[index];
      target = facetChange instanceof RankingOrderChange ? change.origin().getTarget() : target;
    }
    if (settled) {
      settledGeneration = generation();
      settledRevision = revision();
    }
  }

  /**
   * Records the last change of a facet: the target that showed the new value, the service's time of the new value, and
   * the hash of the previous value.
   */
  void setInformant(int facet, Origin origin, long hashBefore) {
    informants[facet] = origin.getTarget().hashCode();
    asOf[facet] = origin.getAsOf() == null ? UNKNOWN : origin.getAsOf().toEpochMilli();
    hashesBefore[facet] = hashBefore;
  }

  /**
   * Returns whether a change takes back the last change of a facet, although the two changes come from different
   * targets and the service's times of both differ by no more than the tolerance.
   */
  boolean isFlip(int facet, Origin origin, long hash, Duration tolerance) {
    return asOf[facet] != UNKNOWN
        && origin.getAsOf() != null
        && hashesBefore[facet] == hash
        && informants[facet] != origin.getTarget().hashCode()
        && Math.abs(origin.getAsOf().toEpochMilli() - asOf[facet]) <= tolerance.toMillis();
  }

  /** Returns whether the value of the facet, which may be null, is known from the folded changes. */
  boolean isKnown(int facet) {
    return setAt[facet] != UNKNOWN;
  }

  long hash(int facet) {
    var value = fold == null ? null : fold.facets().get(facet);
    return view.facets().get(facet).isList() ? ValueHash.of(order()) : value == null ? ValueHash.NULL : value;
  }

  /**
   * Returns the offset of the change that last set the facet or showed that it has no value, or -1 if there is no
   * such change.
   */
  long setAt(int facet) {
    return setAt[facet];
  }

  /** Returns the members of a ranking in order, or null while the order is unknown. Only for rankings. */
  @Nullable
  List<String> order() {
    return fold != null ? fold.order() : begun ? List.of() : null;
  }

  /**
   * Returns the target that showed the newest order of a ranking, or null for other resources and if no change
   * includes the order.
   */
  @Nullable
  String target() {
    return target;
  }

  long generation() {
    return fold().generation().toEpochMilli();
  }

  long revision() {
    return fold().revision();
  }

  /** Returns the offset of the newest change. */
  long offset() {
    return offset;
  }

  /**
   * Returns whether all facets are known, which requires that the folded changes include a key frame (a change with
   * all facets) or begin with revision 1.
   */
  boolean isComplete() {
    return begun || (fold != null && fold.complete());
  }

  /** Returns the reason of the removal, or null if the resource is not removed. */
  @Nullable
  String removed() {
    return fold().removed();
  }

  boolean isEvicted() {
    return fold().isEvicted();
  }

  /** Returns whether the newest change is not settled, so that the states that were read may be older. */
  boolean hasChangedMeanwhile() {
    return generation() != settledGeneration || revision() != settledRevision;
  }

  /** Returns whether a settled change is newer than the given state. */
  boolean isAheadOf(NewestState state) {
    return state.isBefore(settledGeneration, settledRevision);
  }

  private FoldedResource<Long> fold() {
    return Objects.requireNonNull(fold, "the fold has no change yet");
  }
}
