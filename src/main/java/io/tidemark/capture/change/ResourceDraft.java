package io.tidemark.capture.change;

import io.tidemark.capture.change.InformantElection.Vote;
import io.tidemark.capture.change.PageObservations.FacetObservation;
import io.tidemark.event.Appeared;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.FacetView;
import io.tidemark.event.Origin;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * One resource during one detection, with its state before the detection and its values after it. A draft never leaves
 * the detection, and does not alter the records from which it was created.
 */
final class ResourceDraft {
  /**
   * Value used as the index of the informant of a facet that detection itself derives, and of a facet whose parts have
   * informants of their own.
   */
  private static final int NO_INFORMANT = -1;

  private final ResourceKind kind;
  private final String key;
  private final IndexedRecord known;
  private final DetectionMemory memory;

  /** State before the detection; null if none is known, because the resource is new or its state was lost. */
  private final @Nullable IndexedRecord state;

  /**
   * Last published value of each facet that is withheld, also by earlier detections, by name of the facet. The value
   * is null if the facet was never published.
   */
  private final Map<String, @Nullable IndexedRecord> withheld = new HashMap<>();

  /**
   * Time at which the previous value of a facet was last observed, for each facet already remembered to which this
   * detection applied an observation or a derived value, even if the value is the same.
   */
  private final Map<String, Instant> lastObserved = new HashMap<>();

  private final Set<String> suppressed = new TreeSet<>();
  private @Nullable Appeared appeared;
  private @Nullable Visibility visibility;
  private @Nullable Removed removed;
  private @Nullable Instant asOf;
  private boolean baseline;
  private boolean contiguous = true;
  private boolean touched;

  private ResourceDraft(ResourceKind kind, String key, IndexedRecord known, @Nullable IndexedRecord state) {
    this.kind = kind;
    this.key = key;
    this.known = known;
    this.state = state;
    this.memory = state == null ? DetectionMemory.empty() : DetectionMemory.of(kind.states().memory(state));
  }

  /** Creates the draft of a new resource with the identity of an observed resource and no other values. */
  static ResourceDraft create(ResourceKind kind, String key, IndexedRecord resource) {
    return new ResourceDraft(kind, key, kind.changes().identityOf(resource), null);
  }

  static ResourceDraft of(ResourceKind kind, String key, IndexedRecord state) {
    var draft = new ResourceDraft(kind, key, AvroRecords.copy(kind.states().known(state)), state);
    draft.withheld.putAll(kind.states().withheld(state));
    return draft;
  }

  ResourceKind kind() {
    return kind;
  }

  String key() {
    return key;
  }

  IndexedRecord known() {
    return known;
  }

  DetectionMemory memory() {
    return memory;
  }

  /** Returns whether the resource had no state before the detection. */
  boolean isNew() {
    return state == null;
  }

  /** Returns whether the resource's state must be written even if no change is published. */
  boolean isTouched() {
    return touched;
  }

  /** Returns whether the resource appeared, changed its visibility or was removed. */
  boolean hasNews() {
    return appeared != null || visibility != null || removed != null;
  }

  /** Puts the resource's appearance, change of visibility or removal, if any, into a change. */
  void putNews(IndexedRecord change) {
    AvroRecords.put(change, "appeared", appeared);
    AvroRecords.put(change, "visibility", visibility);
    AvroRecords.put(change, "removed", removed);
  }

  Origin origin(SnapshotContext context) {
    return context.origin(asOf, baseline);
  }

  /**
   * Returns the origin of the given differing facets: the snapshot if it observed or derived a value of one of them,
   * otherwise the earlier snapshot that did.
   */
  Origin originOf(Collection<FacetView> differing, Origin snapshot) {
    var earlier = memory.values().getWithheld();
    var isObserved = differing.stream()
        .anyMatch(facet -> !isWithheld(facet) || lastObserved.containsKey(facet.name()));
    return earlier == null || isObserved ? snapshot : earlier;
  }

  /**
   * Returns the names of the withheld facets to which this detection applied an observation or a derived value.
   * Facets that it observed for the first time are left out.
   */
  Set<String> suppressed() {
    return suppressed;
  }

  long revision() {
    return state == null ? 0 : kind.states().revision(state);
  }

  Instant generation(Instant now) {
    return state == null ? now : kind.states().generation(state);
  }

  Instant firstObservedAt(Instant now) {
    return state == null ? now : kind.states().firstObservedAt(state);
  }

  /** Returns the time of the snapshot or deadline that caused the previous state. The resource must not be new. */
  Instant stateObservedAt() {
    return kind.states().observedAt(Objects.requireNonNull(state));
  }

  void setAsOf(@Nullable Instant time) {
    asOf = time;
  }

  void setBaseline(boolean isBaseline) {
    baseline = isBaseline;
  }

  /** Returns whether the list of a ranking reaches back to the known list. True for every other resource. */
  boolean isContiguous() {
    return contiguous;
  }

  void setContiguous(boolean isContiguous) {
    contiguous = isContiguous;
  }

  /**
   * Notes that the resource is observed for the first time.
   *
   * @param appearance how the resource appeared; null if the resource is baseline
   */
  void appear(@Nullable Appeared appearance) {
    appeared = appearance;
    baseline = appearance == null;
  }

  /**
   * Notes that the resource is shown again, so that it is visible, not removed, and not missing from answers. If it was
   * removed, its change is a key frame, because readers drop what they know of a removed resource. An observation older
   * than the last one is ignored.
   *
   * @param byWholeList false if the answer lists only the platforms that support NFTs. Such an answer neither brings
   *     back a removed platform nor resets the count of its absences. Caches keep this list and the list of all
   *     platforms for different times. An older answer could therefore bring back a platform that a newer answer
   *     removed, and nothing would remove the platform again
   */
  void reappear(Instant observedAt, boolean byWholeList) {
    var values = memory.values();
    var last = values.getLastObservedAt();
    if ((last != null && observedAt.isBefore(last)) || (values.getRemoved() != null && !byWholeList)) {
      return;
    }
    if (!values.getVisible()) {
      visibility = new Visibility(true, last);
      values.setVisible(true);
    }
    if (values.getRemoved() != null) {
      appeared = Appeared.newBuilder().setKind("found").build();
      values.setRemoved(null);
      values.setKeyFrame(null);
    }
    if (values.getAbsences() > 0 && byWholeList) {
      values.setAbsences(0);
      touched = true;
    }
  }

  /**
   * Counts an answer that should show the resource but lacks it. Returns the number of answers counted since an
   * answer last showed the resource or the resource was removed.
   */
  int miss() {
    var absences = memory.values().getAbsences() + 1;
    memory.values().setAbsences(absences);
    touched = true;
    return absences;
  }

  void remove(String reason, Instant at) {
    removed = new Removed(reason);
    memory.values().setRemoved(reason);
    memory.values().setAbsences(0);
    memory.values().setLastObservedAt(at);
  }

  void evict() {
    removed = new Removed("evicted");
  }

  void becomeNotVisible(Instant lastObservedAt) {
    visibility = new Visibility(false, lastObservedAt);
    memory.values().setVisible(false);
    memory.values().setLastObservedAt(lastObservedAt);
  }

  /** Notes that a target showed the resource at the given time, which the target's state does not record. */
  void noteShown(Instant at) {
    var last = memory.values().getLastObservedAt();
    memory.values().setLastObservedAt(last != null && last.isAfter(at) ? last : at);
    touched = true;
  }

  /**
   * Notes the last observation of the resource by a target that no longer shows it. If this target is the informant of
   * a facet, the facet's time advances to the time of this observation.
   *
   * @param at time of the snapshot that last showed the resource
   * @param lastAsOf the service's own time of this observation; null if not known
   */
  void noteDropped(String target, Instant at, @Nullable Instant lastAsOf, ResourceVisibility visibility) {
    noteShown(at);
    if (memory.admit(target) < 0) {
      var other = visibility.replaceable(memory, kind, key, target);
      if (other != null) {
        memory.replace(other, target);
      }
    }
    if (!kind.isDated()) {
      memory.informedBy(target).forEach(
          facet -> facet.setAsOf(facet.getAsOf() == null ? null : InformantElection.later(facet.getAsOf(), lastAsOf)));
    }
  }

  /** @param observedAsOf decides which of two observations is newer; null if not known */
  Vote observe(FacetObservation observation, SnapshotContext context, @Nullable Instant observedAsOf) {
    var facet = observation.facet();
    var now = facet.valueIn(known);
    var target = memory.admit(context.target().name());
    var remembered = memory.facet(observation.informantKey());
    var digest = observation.digest();
    var vote = new InformantElection(context, memory, kind, key, remembered, target, observedAsOf)
        .decide(observation, digest, now);
    if (vote == Vote.REPEATED || vote.rejection() != null) {
      if (vote == Vote.REPEATED && remembered != null && remembered.getInformant() == target) {
        remembered.setAsOf(newer(remembered.getAsOf(), observedAsOf));
      }
      return vote;
    }
    var value = vote == Vote.ADDS ? observation.mergedUnder(now) : observation.mergedOver(now);
    target = target >= 0 ? target : admitBeyondRoom(context, vote, observation.conflictsWith(now));
    if (target < 0 && AvroRecords.areEqual(value, now)) {
      return vote; // one of many targets that show the same value: nothing to remember
    }
    var before = remembered == null ? memory.facet(facet.name()) : remembered;
    if (before != null) {
      noteLastObserved(facet, before, context);
    }
    if (remembered == null) {
      remembered = memory.addFacet(observation.informantKey(), target, context.observedAt(), observedAsOf);
    }
    if (memory.facet(facet.name()) == null) {
      memory.addFacet(facet.name(), NO_INFORMANT, context.observedAt(), null);
    }
    if (now != null || !FacetObservation.isEmpty(value)) { // an empty value adds nothing to an unknown value
      facet.putValue(known, value);
    }
    touched = true;
    if (vote == Vote.ELECTED) {
      remembered.setAsOf(newer(remembered.getAsOf(), observedAsOf));
      remembered.setInformant(target);
      remembered.setObservedAt(context.observedAt());
      Objects.requireNonNull(memory.facet(facet.name())).setObservedAt(context.observedAt());
    }
    if (target >= 0) {
      DetectionMemory.setObservation(remembered, target, digest);
    }
    return vote;
  }

  /**
   * Remembers a target in place of another target, because the maximum number of targets is already remembered. Returns
   * the index of the target, or a negative number if no other target can be replaced. A target that becomes informant
   * always replaces another target. A target that only shows different values replaces only a target that no longer
   * shows the resource.
   */
  private int admitBeyondRoom(SnapshotContext context, Vote vote, boolean isConflicting) {
    var name = context.target().name();
    var isInformant = vote == Vote.ELECTED || vote == Vote.FIRST;
    var other = isInformant || isConflicting ? context.visibility().replaceable(memory, kind, key, name) : null;
    if (other == null && isInformant) {
      other = memory.replaceable().getLast(); // may still show the resource, but is not an informant
    }
    return other == null ? -1 : memory.replace(other, name);
  }

  /** Returns the time of a facet after an observation by its informant, or null if the observation has no time. */
  private static @Nullable Instant newer(@Nullable Instant known, @Nullable Instant observed) {
    return observed == null ? null : InformantElection.later(known, observed);
  }

  /** Sets a facet that detection itself derives, if the value differs from the known value. */
  void derive(FacetView facet, IndexedRecord value, SnapshotContext context) {
    if (AvroRecords.areEqual(value, facet.valueIn(known))) {
      return;
    }
    var facetMemory = memory.facet(facet.name());
    if (facetMemory == null) {
      memory.addFacet(facet.name(), NO_INFORMANT, context.observedAt(), asOf);
    } else {
      noteLastObserved(facet.name(), facetMemory.getObservedAt(), context);
      facetMemory.setObservedAt(context.observedAt());
    }
    facet.putValue(known, value);
    touched = true;
  }

  /** @param remembered memory of the facet, or of the part of the facet that is observed */
  private void noteLastObserved(FacetView facet, FacetMemory remembered, SnapshotContext context) {
    var informant = memory.informant(remembered);
    var last = InformantElection.later(
        remembered.getObservedAt(), informant == null ? null : context.visibility().lastShownBy(informant, kind, key));
    noteLastObserved(facet.name(), Objects.requireNonNull(last), context);
  }

  /**
   * Notes the time at which the previous value of a facet was last observed, limited to the time of this snapshot. The
   * limit is needed if a snapshot of another target arrived later than this snapshot but was processed first.
   */
  private void noteLastObserved(String facet, Instant last, SnapshotContext context) {
    lastObserved.putIfAbsent(facet, last.isAfter(context.observedAt()) ? context.observedAt() : last);
  }

  /** Returns the last published value of a facet, or null if no value was published. */
  @Nullable
  IndexedRecord published(FacetView facet) {
    if (isWithheld(facet)) {
      return withheld.get(facet.name());
    }
    return state == null ? null : facet.valueIn(kind.states().known(state));
  }

  /** Returns the facets whose known value differs from their last published value. */
  List<FacetView> differing() {
    return kind.facets().stream().filter(this::differs).toList();
  }

  private boolean differs(FacetView facet) {
    var published = published(facet);
    var now = facet.valueIn(known);
    return (published instanceof RankingOrder old && now instanceof RankingOrder order)
        ? !old.getEntries().equals(order.getEntries())
        : !AvroRecords.areEqual(published, now);
  }

  boolean isWithheld(FacetView facet) {
    return withheld.containsKey(facet.name());
  }

  /**
   * Returns the time at which the last published value of a facet was last observed. For a facet that is neither
   * withheld nor observed anew in this detection, returns the time at which its informant first observed the value.
   * The result has no meaning if no value was published.
   */
  @Nullable
  Instant publishedObservedAt(FacetView facet) {
    var remembered = memory.facet(facet.name());
    if (remembered != null && remembered.getPublishedObservedAt() != null) {
      return remembered.getPublishedObservedAt();
    }
    var last = lastObserved.get(facet.name());
    return last != null || remembered == null ? last : remembered.getObservedAt();
  }

  /**
   * Withholds the given facets and no others.
   *
   * @param origin origin with which a deadline may publish the facets later
   */
  void withhold(Collection<FacetView> differing, Origin origin) {
    withheld.keySet().removeIf(name -> differing.stream().noneMatch(facet -> facet.name().equals(name)));
    for (var facet : differing) {
      var name = facet.name();
      if (!withheld.containsKey(name)) {
        Objects.requireNonNull(memory.facet(name)).setPublishedObservedAt(lastObserved.get(name));
        withheld.put(name, published(facet));
      }
      if (lastObserved.containsKey(name)) {
        suppressed.add(name);
      }
    }
    memory.values().setWithheld(withheld.isEmpty() ? null : origin);
  }

  /** Records the given facets as published now, and no facet as withheld. */
  void publish(Collection<FacetView> differing, Instant now, Instant keyFrame) {
    differing.forEach(facet -> memory.markPublished(facet.name(), now));
    withheld.clear();
    memory.values().setWithheld(null);
    memory.values().setKeyFrame(keyFrame);
  }

  SpecificRecord state(long revision, Instant observedAt) {
    return kind.states().build(known, withheld, generation(observedAt), revision,
        firstObservedAt(observedAt), observedAt, memory.values());
  }
}
