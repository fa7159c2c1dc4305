package io.tidemark.eventlog;

import io.tidemark.event.PageRecord;
import io.tidemark.eventlog.ExpectedResource.Informer;
import io.tidemark.eventlog.ExpectedResource.Judgement;
import io.tidemark.eventlog.ObservedResource.Ref;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The expected states after the snapshots so far, folded from their bodies. */
final class ExpectedStates {
  private final Map<Ref, ExpectedResource> known = new HashMap<>();

  /** By target, the resources that its newest complete snapshot shows, with the service's times of them. */
  private final Map<String, Map<Ref, Informer>> showing = new HashMap<>();

  /**
   * The effect of one snapshot on one resource.
   *
   * @param asOf the service's own time of the observation
   * @param open facets whose observation may have been rejected, each with an action that undoes it
   */
  record Step(
      ObservedResource observation,
      @Nullable Instant asOf,
      boolean first,
      Map<String, Map<String, Object>> before,
      ExpectedResource known,
      Map<String, Runnable> open) {}

  @Nullable
  ExpectedResource find(Ref ref) {
    return known.get(ref);
  }

  /** Adds a snapshot; if it shows a resource twice, the first observation counts. */
  Map<Ref, Step> take(SnapshotRecord snapshot) {
    var steps = new LinkedHashMap<Ref, Step>();
    if (snapshot.disbelieved()) {
      return steps;
    }
    var shown = new HashMap<Ref, Informer>();
    for (ParsedBody page : snapshot.pages()) {
      for (ObservedResource each : page.observations) {
        if (!steps.containsKey(each.ref())) {
          steps.put(each.ref(), step(each, snapshot));
          shown.put(each.ref(), new Informer(asOf(each, snapshot), snapshot.state().getAsOf(), newest(snapshot)));
        }
      }
    }
    if (snapshot.whole()) {
      var before = showing.put(snapshot.target(), shown);
      if (before != null) {
        before.keySet().removeAll(shown.keySet());
        before.forEach((ref, last) -> Objects.requireNonNull(known.get(ref)).drop(snapshot.target(), last));
      }
    }
    return steps;
  }

  /** Adds a recorded change, because a rebuild knows each facet only by its last change. */
  void noteChange(RecordedChange change) {
    ExpectedResource resource = known.get(change.ref());
    if (resource != null) {
      change.facets().keySet().forEach(
          facet -> resource.noteChange(facet, change.origin().getTarget(), change.origin().getAsOf()));
    }
  }

  /** Rebuilds the states of a kind of resources from their changes. */
  void rebuild(String resource) {
    known.forEach((ref, each) -> {
      if (ref.resource().equals(resource)) {
        each.rebuild();
      }
    });
  }

  private Step step(ObservedResource observation, SnapshotRecord snapshot) {
    boolean first = !known.containsKey(observation.ref());
    ExpectedResource resource = known.computeIfAbsent(observation.ref(), any -> new ExpectedResource());
    var before = resource.values();
    var open = new HashMap<String, Runnable>();
    observation.facets().forEach((facet, observed) -> {
      Runnable undo = resource.undo(facet);
      Judgement taken =
          resource.see(facet, observed, snapshot.target(), snapshot.state().getChanged(), asOf(observation, snapshot),
              target -> showing.getOrDefault(target, Map.of()).get(observation.ref()));
      if (taken == Judgement.EITHER) {
        open.put(facet, undo);
      }
    });
    return new Step(observation, asOf(observation, snapshot), first, before, resource, open);
  }

  private static @Nullable Instant newest(SnapshotRecord snapshot) {
    return snapshot.state().getPages().stream()
        .map(PageRecord::getAsOf).filter(Objects::nonNull).max(Instant::compareTo).orElse(null);
  }

  /** Returns the service's time of an observation, at most the time of the snapshot. */
  private static @Nullable Instant asOf(ObservedResource observation, SnapshotRecord snapshot) {
    Instant asOf = observation.asOf();
    Instant now = snapshot.at();
    return asOf != null && asOf.isAfter(now) ? now : asOf;
  }
}
