package io.tidemark.change;

import io.tidemark.event.Appeared;
import io.tidemark.event.FacetMemory;
import io.tidemark.event.Left;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.Showing;
import io.tidemark.event.Sight;
import io.tidemark.event.TargetState;
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
final class Draft {
  /** How much older than what is known an observation may be. */
  static final Duration TOLERANCE = Duration.ofSeconds(2);

  final Kind kind;
  final String key;
  final IndexedRecord known;
  final Remembered memory;

  /** Facets held back, each with its last emitted value. */
  final Map<String, @Nullable IndexedRecord> said = new HashMap<>();

  /** When the values before this sweep were last seen, by facet. */
  final Map<String, Instant> lastSeen = new HashMap<>();

  /** Facets that changed in this sweep and are held back. */
  final Set<String> suppressed = new TreeSet<>();

  /** What was known before this sweep; null at first sight. */
  final @Nullable IndexedRecord before;

  final @Nullable IndexedRecord state;
  @Nullable
  Appeared appeared;
  @Nullable
  Sight sight;
  @Nullable
  Left left;
  boolean baseline;

  /** Of a list: whether it reaches back to the last one seen. */
  boolean reached = true;

  /** The service's own time of what this sweep showed. */
  @Nullable
  Instant asOf;

  /** Whether there is anything new to remember. */
  boolean touched;

  private Draft(
      Kind kind, String key, IndexedRecord known, @Nullable IndexedRecord state, @Nullable IndexedRecord before) {
    this.kind = kind;
    this.key = key;
    this.known = known;
    this.state = state;
    this.before = before;
    this.memory = state == null ? Remembered.nothing() : StateRecord.memory(state);
  }

  /** First sight: only the identity is taken over. */
  static Draft first(Kind kind, String key, IndexedRecord identity) {
    return new Draft(kind, key, copy(identity, false), null, null);
  }

  static Draft of(Kind kind, String key, IndexedRecord state) {
    IndexedRecord before = StateRecord.known(state);
    Draft draft = new Draft(kind, key, copy(before, true), state, before);
    draft.said.putAll(StateRecord.said(kind, state));
    return draft;
  }

  private static IndexedRecord copy(IndexedRecord record, boolean facets) {
    IndexedRecord copy = Facet.blank(record.getSchema());
    for (Schema.Field field : record.getSchema().getFields()) {
      if (facets || Kind.nonNull(field.schema()).getType() != Schema.Type.RECORD) {
        copy.put(field.pos(), record.get(field.pos()));
      }
    }
    return copy;
  }

  boolean isNew() {
    return state == null;
  }

  /** Takes in what a look showed of one facet; false where it is refused as older than what is known. */
  boolean observe(Facet facet, Observed observed, Look look, @Nullable Instant observedAsOf) {
    int target = memory.place(look.target().name());
    FacetMemory facetMemory = memory.facet(facet.name());
    if (facetMemory == null) {
      begin(facet, observed, memory.begin(facet.name(), target, look.observedAt(), observedAsOf), target);
      return true;
    }
    Showing showing = Remembered.showing(facetMemory, target);
    long digest = observed.digest();
    if (showing == null) {
      return remember(facet, observed, look, observedAsOf, facetMemory, new Showing(target, digest));
    }
    return (showing.getDigest() == digest && !alone(facet, observed, look, facetMemory, target))
        || news(facet, observed, look, observedAsOf, facetMemory, showing);
  }

  /** Whether a target goes on showing what was not believed, and the one that was believed shows it no more. */
  private boolean alone(Facet facet, Observed observed, Look look, FacetMemory facetMemory, int target) {
    return facetMemory.getInformer() != target
        && disagrees(facet, observed)
        && look.stillShowing(memory.informer(facetMemory), key) == null;
  }

  /** Whether a look showed a facet otherwise than it is known. */
  boolean disagrees(Facet facet, Observed observed) {
    IndexedRecord now = facet.in(known);
    IndexedRecord then = observed.over(now);
    return now == null ? !Observed.empty(then) : !now.equals(then);
  }

  /** A first null of what was absent is nothing new. */
  private void learn(Facet facet, IndexedRecord value) {
    if (facet.in(known) != null || !Observed.empty(value)) {
      facet.put(known, value);
    }
  }

  private void begin(Facet facet, Observed observed, FacetMemory facetMemory, int target) {
    learn(facet, observed.over(facet.in(known)));
    facetMemory.getShown().add(new Showing(target, observed.digest()));
    touched = true;
  }

  /** A target's first look at a facet that others show: it adds what they do not, unless they no longer look. */
  private boolean remember(
      Facet facet,
      Observed observed,
      Look look,
      @Nullable Instant observedAsOf,
      FacetMemory facetMemory,
      Showing showing) {
    if (look.stillShowing(memory.informer(facetMemory), key) == null) {
      boolean believed = news(facet, observed, look, observedAsOf, facetMemory, showing);
      return believed && facetMemory.getShown().add(showing);
    }
    noteLastSeen(facet, look, facetMemory);
    learn(facet, observed.under(facet.in(known)));
    touched = true;
    return facetMemory.getShown().add(showing);
  }

  private boolean news(
      Facet facet,
      Observed observed,
      Look look,
      @Nullable Instant observedAsOf,
      FacetMemory facetMemory,
      Showing showing) {
    if (older(observedAsOf, newest(facetMemory, look))) {
      return false;
    }
    noteLastSeen(facet, look, facetMemory);
    learn(facet, observed.over(facet.in(known)));
    inform(facetMemory, showing.getTarget(), look.observedAt(), observedAsOf);
    showing.setDigest(observed.digest());
    touched = true;
    return true;
  }

  private static void inform(FacetMemory facet, int target, Instant observedAt, @Nullable Instant asOf) {
    facet.setInformer(target);
    facet.setObservedAt(observedAt);
    facet.setAsOf(asOf);
  }

  /** The service's own time of what is known: of the informer's newest look where that still shows the resource. */
  private @Nullable Instant newest(FacetMemory facetMemory, Look look) {
    String informer = memory.informer(facetMemory);
    TargetState state = informer.equals(look.target().name()) ? null : look.stillShowing(informer, key);
    return later(facetMemory.getAsOf(), state == null ? null : state.getAsOf());
  }

  private void noteLastSeen(Facet facet, Look look, FacetMemory facetMemory) {
    Instant last = look.lastShown(memory.informer(facetMemory), key);
    noteLastSeen(facet.name(), Objects.requireNonNull(later(facetMemory.getObservedAt(), last)), look);
  }

  /** A look of another target may have arrived a moment later and yet been read before this one. */
  void noteLastSeen(String facet, Instant seen, Look look) {
    lastSeen.putIfAbsent(facet, seen.isAfter(look.observedAt()) ? look.observedAt() : seen);
  }

  static boolean older(@Nullable Instant seen, @Nullable Instant known) {
    return seen != null && known != null && seen.isBefore(known.minus(TOLERANCE));
  }

  private static @Nullable Instant later(@Nullable Instant one, @Nullable Instant other) {
    return one == null || (other != null && other.isAfter(one)) ? other : one;
  }

  long revision() {
    return state == null ? 0 : StateRecord.revision(state);
  }

  /** Time of first sight of this life. */
  Instant life(Instant now) {
    return state == null ? now : StateRecord.life(state);
  }

  Instant firstSeenAt(Instant now) {
    return state == null ? now : StateRecord.firstSeenAt(state);
  }

  /** The value of a facet that was last emitted; null where none was. */
  @Nullable
  IndexedRecord emitted(Facet facet) {
    if (said.containsKey(facet.name())) {
      return said.get(facet.name());
    }
    return before == null ? null : facet.in(before);
  }

  boolean differs(Facet facet) {
    IndexedRecord emitted = emitted(facet);
    IndexedRecord now = facet.in(known);
    if (emitted instanceof RankingOrder old && now instanceof RankingOrder order) {
      return !old.getEntries().equals(order.getEntries());
    }
    return !Objects.equals(emitted, now);
  }
}
