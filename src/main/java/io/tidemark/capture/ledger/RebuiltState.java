package io.tidemark.capture.ledger;

import io.tidemark.event.AvroRecords;
import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.FoldedResource;
import io.tidemark.event.Origin;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.ResourceMemory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * The state of one resource, folded from the resource's changes in their order, beginning with the first key frame. A
 * key frame is a change that carries all known facets of the resource.
 */
final class RebuiltState {

  /** Informant of a facet that no change has set here. The next target that shows the facet becomes its informant. */
  private static final int NO_INFORMANT = -1;

  private final ChangeView view;
  private final Duration half;
  /** Origin of the change that last set a facet, by the name of the facet. */
  private final Map<String, Origin> setBy = new HashMap<>();
  private @Nullable FoldedResource<IndexedRecord> fold;
  private @Nullable IndexedRecord newest;
  /** Origin of the key frame with which the generation begins here. */
  private @Nullable Origin first;
  private @Nullable Instant keyFrame;

  /**
   * @param half length of a key frame period, which is half of the retention of changes; a resource's first change in
   *     each period is a key frame
   */
  RebuiltState(ChangeView view, Duration half) {
    this.view = view;
    this.half = half;
  }

  /** Folds the next change. Changes before the first key frame are ignored. */
  void add(IndexedRecord change) {
    var origin = Objects.requireNonNull(view.origin(change));
    if (fold == null && !origin.getKeyFrame()) {
      return;
    }
    if (origin.getKeyFrame()) {
      keyFrame = ChangeView.keyFrameStart(origin.getObservedAt(), half);
    }
    if (fold == null || !fold.generation().equals(view.generation(change))) {
      setBy.clear();
      first = origin;
    }
    fold = FoldedResource.fold(fold, change, facet -> facet);
    newest = change;
    for (var facet : view.facets()) {
      var ofFacet = facet.changeIn(change);
      if (ofFacet != null && facet.isChanged(ofFacet)) { // a key frame also has what its target does not show
        setBy.put(facet.name(), origin);
      }
    }
  }

  /** Returns whether the changes included a key frame. */
  boolean isComplete() {
    return fold != null;
  }

  boolean isEvicted() {
    return fold != null && fold.isEvicted();
  }

  /** Returns whether the given state is null or older than the folded state. */
  boolean isAfter(@Nullable SpecificRecord state) {
    if (state == null) {
      return true;
    }
    var other = view.state().generation(state);
    return other.isBefore(generation())
        || (other.equals(generation()) && view.state().revision(state) < fold().revision());
  }

  Instant generation() {
    return fold().generation();
  }

  private FoldedResource<IndexedRecord> fold() {
    return Objects.requireNonNull(fold, "the changes include no key frame");
  }

  /**
   * Returns the folded state, without withheld values and without the observations of targets. In the order of a
   * ranking, every pool has revision 0.
   */
  SpecificRecord state() {
    var change = Objects.requireNonNull(newest);
    var observedAt = Objects.requireNonNull(view.origin(change)).getObservedAt();
    var firstAt = AvroRecords.at(change, "about.first_observed_at") instanceof Instant at ? at : generation();
    var resource = resource(change);
    return view.state().build(resource, Map.of(), generation(), fold().revision(),
        firstAt, observedAt, memory(resource, observedAt));
  }

  private IndexedRecord resource(IndexedRecord change) {
    var resource = view.identityOf(change);
    for (var index = 0; index < view.facets().size(); index++) {
      var facet = view.facets().get(index);
      facet.putValue(resource, facet.isList() ? order(fold().order()) : fold().facets().get(index));
    }
    return resource;
  }

  private static @Nullable RankingOrder order(@Nullable List<String> order) {
    return order == null
        ? null
        : new RankingOrder(new ArrayList<>(order), new ArrayList<>(order.stream().map(pool -> 0L).toList()));
  }

  private ResourceMemory memory(IndexedRecord resource, Instant observedAt) {
    var targets = setBy.values().stream().map(Origin::getTarget).distinct().sorted().toList();
    var facets = new ArrayList<FacetMemory>();
    for (var facet : view.facets()) {
      if (facet.valueIn(resource) != null) {
        var changed = setBy.get(facet.name());
        var origin = changed == null ? Objects.requireNonNull(first) : changed;
        facets.add(FacetMemory.newBuilder()
            .setFacet(facet.name())
            .setInformant(changed == null ? NO_INFORMANT : targets.indexOf(origin.getTarget()))
            .setObservedAt(origin.getObservedAt())
            .setAsOf(origin.getAsOf())
            .setPublishedAt(origin.getObservedAt())
            .setObservations(new ArrayList<>())
            .build());
      }
    }
    return ResourceMemory.newBuilder()
        .setTargets(new ArrayList<>(targets))
        .setFacets(facets)
        .setKeyFrame(keyFrame)
        .setRemoved(fold().removed())
        .setVisible(fold().visible())
        .setLastObservedAt(observedAt)
        .build();
  }
}
