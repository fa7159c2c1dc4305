package io.tidemark.ledger;

import io.tidemark.event.ChangeView;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.FacetView;
import io.tidemark.event.Origin;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingOrderChange;
import io.tidemark.event.ResourceMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** The state of one resource that follows from its changes, in their order, from the first key frame on. */
final class ResourceFold {

  private final ChangeView view;
  private final Duration half;
  /** The change that set each facet, by name. */
  private final Map<String, Origin> setBy = new HashMap<>();
  private @Nullable IndexedRecord known;
  private @Nullable Instant keyFrame;
  private Instant generation = Instant.EPOCH;
  private Instant firstObservedAt = Instant.EPOCH;
  private Instant observedAt = Instant.EPOCH;
  private long revision;
  private boolean visible = true;
  private @Nullable String removed;

  /** @param half half of the retention of changes: a resource's first change in each is a key frame */
  ResourceFold(ChangeView view, Duration half) {
    this.view = view;
    this.half = half;
  }

  /** Folds the next change. Changes before the first key frame do not count. */
  void add(IndexedRecord change) {
    var origin = Objects.requireNonNull(view.origin(change));
    if (origin.getKeyFrame()) {
      begin(change);
      keyFrame = ChangeView.keyFrameStart(origin.getObservedAt(), half);
    }
    if (known == null) {
      return;
    }
    generation = Objects.requireNonNull(view.generation(change));
    revision = Objects.requireNonNull(view.revision(change));
    observedAt = origin.getObservedAt();
    firstObservedAt = view.aboutFirstObservedAt(change, generation);
    for (var facet : view.facets()) {
      var facetChange = facet.changeIn(change);
      if (facetChange != null) {
        facet.putValue(known, after(facet, facetChange));
        setBy.put(facet.name(), origin);
      }
    }
    var visibility = view.visibility(change);
    visible = visibility == null ? visible || view.appeared(change) != null : visibility.getVisible();
    var end = view.removed(change);
    removed = end != null ? end.getReason() : view.appeared(change) != null ? null : removed;
  }

  /** A key frame has all facets of a resource: what it lacks has no value. */
  private void begin(IndexedRecord change) {
    known = view.identityOfChange(change);
    if (!Objects.equals(view.generation(change), generation)) {
      visible = true;
      removed = null;
      setBy.clear();
    }
  }

  /** Whether a key frame was among the changes. */
  boolean isComplete() {
    return known != null;
  }

  boolean isEvicted() {
    return "evicted".equals(removed);
  }

  /** Whether a state is older than this fold; null is. */
  boolean isAfter(@Nullable SpecificRecord state) {
    if (state == null) {
      return true;
    }
    var other = view.state().generation(state);
    return other.isBefore(generation) || (other.equals(generation) && view.state().revision(state) < revision);
  }

  Instant generation() {
    return generation;
  }

  /** The state. Nothing in it is withheld, and the observations of targets are not remembered. */
  SpecificRecord state() {
    var resource = Objects.requireNonNull(known);
    try {
      return view.state().build(resource, Map.of(), generation, revision, firstObservedAt,
          observedAt, ResourceMemory.getEncoder().encode(memory(resource)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ResourceMemory memory(IndexedRecord resource) {
    var targets = setBy.values().stream().map(Origin::getTarget).distinct().sorted().toList();
    var facets = new ArrayList<FacetMemory>();
    for (var facet : view.facets()) {
      var origin = setBy.get(facet.name());
      if (origin != null && facet.valueIn(resource) != null) {
        facets.add(FacetMemory.newBuilder()
            .setFacet(facet.name())
            .setInformant(targets.indexOf(origin.getTarget()))
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
        .setRemoved(removed)
        .setVisible(visible)
        .setLastObservedAt(observedAt)
        .build();
  }

  private @Nullable IndexedRecord after(FacetView facet, IndexedRecord facetChange) {
    if (!(facetChange instanceof RankingOrderChange change)) {
      return facet.after(facetChange);
    }
    var entries = change.getEntries();
    var order = entries != null ? entries : after((RankingOrder) facet.valueIn(Objects.requireNonNull(known)), change);
    return new RankingOrder(order, new ArrayList<>(order.stream().map(pool -> 0L).toList()));
  }

  /** Takes out what exited or moved, and puts what entered or moved at its rank; the others keep their order. */
  private static List<String> after(@Nullable RankingOrder before, RankingOrderChange change) {
    var order = before == null ? new ArrayList<String>() : new ArrayList<>(before.getEntries());
    change.getExited().forEach(each -> order.remove(each.getPool()));
    change.getMoved().forEach(each -> order.remove(each.getPool()));
    var ranks = new TreeMap<Integer, String>();
    change.getEntered().forEach(each -> ranks.put(each.getRank(), each.getPool()));
    change.getMoved().forEach(each -> ranks.put(each.getRank(), each.getPool()));
    ranks.forEach((rank, pool) -> order.add(Math.clamp(rank - 1L, 0, order.size()), pool));
    return order;
  }
}
