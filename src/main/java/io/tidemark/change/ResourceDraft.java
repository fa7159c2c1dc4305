package io.tidemark.change;

import io.tidemark.event.Appeared;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.Removed;
import io.tidemark.event.TargetObservation;
import io.tidemark.event.TargetState;
import io.tidemark.event.Visibility;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** A resource while a sweep is read: what was known of it, and what is now. */
final class ResourceDraft {
  /** How much older than what is known an observation may be. */
  static final Duration TOLERANCE = Duration.ofSeconds(2);

  final ResourceKind kind;
  final String key;
  final IndexedRecord known;
  final DetectionMemory memory;

  /** Facets held back, each with its last emitted value. */
  final Map<String, @Nullable IndexedRecord> withheld = new HashMap<>();

  /** When the values before this sweep were last seen, by facet. */
  final Map<String, Instant> lastObserved = new HashMap<>();

  /** Facets that changed in this sweep and are held back. */
  final Set<String> suppressed = new TreeSet<>();

  /** What was known before this sweep; null at first sight. */
  final @Nullable IndexedRecord before;

  final @Nullable IndexedRecord state;
  @Nullable
  Appeared appeared;
  @Nullable
  Visibility visibility;
  @Nullable
  Removed removed;
  boolean baseline;

  /** Of a list: whether it reaches back to the last one seen. */
  boolean contiguous = true;

  /** The service's own time of what this sweep showed. */
  @Nullable
  Instant asOf;

  /** Whether there is anything new to remember. */
  boolean touched;

  private ResourceDraft(
      ResourceKind kind, String key, IndexedRecord known, @Nullable IndexedRecord state,
      @Nullable IndexedRecord before) {
    this.kind = kind;
    this.key = key;
    this.known = known;
    this.state = state;
    this.before = before;
    this.memory = state == null ? DetectionMemory.nothing() : StateFields.memory(state);
  }

  /** First sight: only the identity is taken over. */
  static ResourceDraft first(ResourceKind kind, String key, IndexedRecord identity) {
    return new ResourceDraft(kind, key, copy(identity, false), null, null);
  }

  static ResourceDraft of(ResourceKind kind, String key, IndexedRecord state) {
    IndexedRecord before = StateFields.known(state);
    ResourceDraft draft = new ResourceDraft(kind, key, copy(before, true), state, before);
    draft.withheld.putAll(StateFields.withheld(kind, state));
    return draft;
  }

  private static IndexedRecord copy(IndexedRecord record, boolean facets) {
    IndexedRecord copy = FacetRow.blank(record.getSchema());
    for (Schema.Field field : record.getSchema().getFields()) {
      if (facets || ResourceKind.nonNull(field.schema()).getType() != Schema.Type.RECORD) {
        copy.put(field.pos(), record.get(field.pos()));
      }
    }
    return copy;
  }

  boolean isNew() {
    return state == null;
  }

  /** Takes in what a look showed of one facet; false where it is refused as older than what is known. */
  boolean observe(FacetRow facet, FacetObservation observed, SnapshotContext look, @Nullable Instant observedAsOf) {
    int target = memory.place(look.target().name());
    FacetMemory facetMemory = memory.facet(facet.name());
    if (facetMemory == null) {
      begin(facet, observed, memory.begin(facet.name(), target, look.observedAt(), observedAsOf), target);
      return true;
    }
    TargetObservation showing = DetectionMemory.showing(facetMemory, target);
    long digest = observed.digest();
    if (showing == null) {
      return remember(facet, observed, look, observedAsOf, facetMemory, new TargetObservation(target, digest));
    }
    return (showing.getDigest() == digest && !alone(facet, observed, look, facetMemory, target))
        || news(facet, observed, look, observedAsOf, facetMemory, showing);
  }

  /** Whether a target goes on showing what was not believed, and the one that was believed shows it no more. */
  private boolean alone(FacetRow facet, FacetObservation observed, SnapshotContext look, FacetMemory facetMemory,
      int target) {
    return facetMemory.getInformant() != target
        && disagrees(facet, observed)
        && look.stillShowing(memory.informant(facetMemory), key) == null;
  }

  /** Whether a look showed a facet otherwise than it is known. */
  boolean disagrees(FacetRow facet, FacetObservation observed) {
    IndexedRecord now = facet.in(known);
    IndexedRecord then = observed.over(now);
    return now == null ? !FacetObservation.empty(then) : !now.equals(then);
  }

  /** A first null of what was absent is nothing new. */
  private void learn(FacetRow facet, IndexedRecord value) {
    if (facet.in(known) != null || !FacetObservation.empty(value)) {
      facet.put(known, value);
    }
  }

  private void begin(FacetRow facet, FacetObservation observed, FacetMemory facetMemory, int target) {
    learn(facet, observed.over(facet.in(known)));
    facetMemory.getObservations().add(new TargetObservation(target, observed.digest()));
    touched = true;
  }

  /** A target's first look at a facet that others show: it adds what they do not, unless they no longer look. */
  private boolean remember(
      FacetRow facet,
      FacetObservation observed,
      SnapshotContext look,
      @Nullable Instant observedAsOf,
      FacetMemory facetMemory,
      TargetObservation showing) {
    if (look.stillShowing(memory.informant(facetMemory), key) == null) {
      boolean believed = news(facet, observed, look, observedAsOf, facetMemory, showing);
      return believed && facetMemory.getObservations().add(showing);
    }
    noteLastObserved(facet, look, facetMemory);
    learn(facet, observed.under(facet.in(known)));
    touched = true;
    return facetMemory.getObservations().add(showing);
  }

  private boolean news(
      FacetRow facet,
      FacetObservation observed,
      SnapshotContext look,
      @Nullable Instant observedAsOf,
      FacetMemory facetMemory,
      TargetObservation showing) {
    if (older(observedAsOf, newest(facetMemory, look))) {
      return false;
    }
    noteLastObserved(facet, look, facetMemory);
    learn(facet, observed.over(facet.in(known)));
    inform(facetMemory, showing.getTarget(), look.observedAt(), observedAsOf);
    showing.setDigest(observed.digest());
    touched = true;
    return true;
  }

  private static void inform(FacetMemory facet, int target, Instant observedAt, @Nullable Instant asOf) {
    facet.setInformant(target);
    facet.setObservedAt(observedAt);
    facet.setAsOf(asOf);
  }

  /** The service's own time of what is known: of the informant's newest look where that still shows the resource. */
  private @Nullable Instant newest(FacetMemory facetMemory, SnapshotContext look) {
    String informant = memory.informant(facetMemory);
    TargetState state = informant.equals(look.target().name()) ? null : look.stillShowing(informant, key);
    return later(facetMemory.getAsOf(), state == null ? null : state.getAsOf());
  }

  private void noteLastObserved(FacetRow facet, SnapshotContext look, FacetMemory facetMemory) {
    Instant last = look.lastShown(memory.informant(facetMemory), key);
    noteLastObserved(facet.name(), Objects.requireNonNull(later(facetMemory.getObservedAt(), last)), look);
  }

  /** A look of another target may have arrived a moment later and yet been read before this one. */
  void noteLastObserved(String facet, Instant observed, SnapshotContext look) {
    lastObserved.putIfAbsent(facet, observed.isAfter(look.observedAt()) ? look.observedAt() : observed);
  }

  static boolean older(@Nullable Instant observed, @Nullable Instant known) {
    return observed != null && known != null && observed.isBefore(known.minus(TOLERANCE));
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }

  long revision() {
    return state == null ? 0 : StateFields.revision(state);
  }

  /** Time of first sight of this life. */
  Instant generation(Instant now) {
    return state == null ? now : StateFields.generation(state);
  }

  Instant firstObservedAt(Instant now) {
    return state == null ? now : StateFields.firstObservedAt(state);
  }

  /** The value of a facet that was last emitted; null where none was. */
  @Nullable
  IndexedRecord published(FacetRow facet) {
    if (withheld.containsKey(facet.name())) {
      return withheld.get(facet.name());
    }
    return before == null ? null : facet.in(before);
  }

  boolean differs(FacetRow facet) {
    IndexedRecord emitted = published(facet);
    IndexedRecord now = facet.in(known);
    if (emitted instanceof RankingOrder old && now instanceof RankingOrder order) {
      return !old.getEntries().equals(order.getEntries());
    }
    return !Objects.equals(emitted, now);
  }
}
