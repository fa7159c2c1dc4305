package io.tidemark.change;

import io.tidemark.event.Appeared;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Ranking;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import io.tidemark.event.Rejection;
import io.tidemark.event.Suppressed;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.event.Visibility;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** One sweep on its way from bodies to entries. */
final class SnapshotDetection {
  /** What the service's clock and ours may differ by. */
  private static final Duration CLOCKS = Duration.ofMinutes(1);

  private final SnapshotContext look;
  private final TargetProgress target;
  private final PublishDecision emission;
  private final ResourceDrafts drafts;
  private final List<List<String>> members = new ArrayList<>();
  private final Set<String> along = new LinkedHashSet<>();
  private final Set<String> listed = new LinkedHashSet<>();
  private final Set<String> observed = new HashSet<>();
  private final Map<String, Rejection> rejections = new TreeMap<>();
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private List<String> listedBefore = List.of();
  private boolean readable = true;
  private boolean lacking;
  private boolean hasList;
  private int conflicting;

  SnapshotDetection(SnapshotContext look, TargetProgress target, PublishDecision emission) {
    this.look = look;
    this.target = target;
    this.emission = emission;
    this.drafts = new ResourceDrafts(look.states());
  }

  ChangeSet outcome() {
    target.snapshot().pages().forEach(this::read);
    if (target.snapshot().failure() instanceof Failure.Unreadable unreadable) {
      deadLetter(unreadable, target.snapshot().pages().size() + 1);
    }
    boolean complete = readable && !lacking && target.snapshot().complete();
    return complete ? whole() : partial();
  }

  private void read(Answer<?> answer) {
    if (!readable) {
      return;
    }
    try {
      observe(PageObservations.of(answer));
    } catch (Failure.Unreadable e) {
      readable = false;
      if (!target.wasDeadLetter(answer)) {
        deadLetter(e, members.size() + 1);
      }
    }
  }

  private void deadLetter(Failure.Unreadable unreadable, int page) {
    readable = false;
    deadLetters.add(DeadLetterEncoder.of(unreadable, look.target(), page, look.observedAt()));
  }

  private void observe(PageObservations reading) {
    int page = members.size() + 1;
    reading.observations().forEach(observation -> observe(observation, page));
    members.add(reading.members());
    along.addAll(reading.along());
    lacking |= !reading.whole();
    if (reading.listed() != null) {
      hasList = true;
      listed.addAll(reading.listed());
    }
  }

  private void observe(ResourceObservation observation, int page) {
    ResourceKind kind = observation.kind();
    if (!observed.add(name(kind, observation.key()))) {
      reject(kind, "duplicate");
      return;
    }
    ResourceDraft draft = drafts.open(kind, observation.key(), observation.observed().resource());
    draft.asOf = clamped(observation.asOf());
    if (draft.isNew()) {
      Ranking ranking = RankingIds.of(look.target().query());
      AppearanceDetector.detect(draft, observation, page, look, ranking == null ? null : ranking.getId(), drafts);
    } else {
      draft.baseline = look.first(page);
      returned(draft);
    }
    FacetObservation.facets(kind, observation.observed()).forEach((name, facet) -> {
      if (!draft.observe(kind.facet(name), facet, look, order(observation.order()))) {
        reject(kind, TargetProgress.OLDER);
      } else if (draft.disagrees(kind.facet(name), facet)) {
        conflicting++;
      }
    });
  }

  private static String name(ResourceKind kind, String key) {
    return kind.name() + " " + key;
  }

  /**
   * A resource that had left, or was missed once, is there again; what was seen before that says nothing of it. Which
   * platforms there are the whole list says: the one limited to those with NFTs may be an older copy.
   */
  private void returned(ResourceDraft draft) {
    Instant last = draft.memory.values().getLastObservedAt();
    if (last != null && look.observedAt().isBefore(last)) {
      return;
    }
    boolean ofAll = !AbsenceDetector.isNft(look.target().query());
    if (draft.memory.values().getRemoved() != null && !ofAll) {
      return;
    }
    if (!draft.memory.values().getVisible()) {
      draft.visibility = new Visibility(true, draft.memory.values().getLastObservedAt());
      draft.memory.values().setVisible(true);
    }
    if (draft.memory.values().getRemoved() != null) {
      draft.appeared = Appeared.newBuilder().setKind("found").build();
      draft.memory.values().setRemoved(null);
    }
    if (draft.memory.values().getAbsences() > 0 && ofAll) {
      draft.memory.values().setAbsences(0);
      draft.touched = true;
    }
  }

  /** No answer can show what is not yet. */
  private @Nullable Instant clamped(@Nullable Instant asOf) {
    return asOf != null && asOf.isAfter(look.observedAt()) ? look.observedAt() : asOf;
  }

  /** Far ahead of our clock, one of the two is wrong, and nothing can be called older by it. */
  private @Nullable Instant order(@Nullable Instant asOf) {
    return asOf != null && asOf.isAfter(look.observedAt().plus(CLOCKS)) ? null : clamped(asOf);
  }

  private void reject(ResourceKind kind, String reason) {
    rejections.merge(
        kind.name() + " " + reason,
        new Rejection(kind.name(), reason, 1L),
        (old, one) -> new Rejection(old.getResource(), old.getReason(), old.getCount() + 1));
  }

  private ChangeSet whole() {
    AbsenceDetector absence = new AbsenceDetector(look, drafts, look.target().pages() > 1);
    Set<String> shown = new LinkedHashSet<>();
    members.forEach(shown::addAll);
    absence.detect(shown, target.snapshot().exhausted());
    absence.noteNotShown(shown, along);
    List<ResourceUpdate> entries = entries();
    List<PoolListing> listings = new ArrayList<>();
    boolean reached = !hasList || rank(entries, listings);
    if (!absence.unconfirmed.isEmpty()) {
      members.add(absence.unconfirmed);
    }
    TargetState state =
        target
            .state(shown.size(), reached, absence.unconfirmed.size(), List.copyOf(rejections.values()))
            .setConflicting(conflicting)
            .setSuppressed(suppressed())
            .setMissed(reached ? null : MissedPools.estimate(listedBefore, List.copyOf(listed), drafts))
            .build();
    return new ChangeSet(state, changedMembers(), entries, listings, deadLetters);
  }

  /** Pages are missing, or lists that were asked for: what was seen counts, what was not says nothing. */
  private ChangeSet partial() {
    drafts.all().stream().filter(draft -> observed.contains(name(draft.kind, draft.key))).forEach(this::shown);
    TargetState before = look.before();
    int known = before == null ? 0 : before.getMembers();
    boolean reached = before == null || before.getContiguous();
    int awaiting = before == null ? 0 : before.getAwaitingConfirmation();
    TargetState state =
        target
            .unseen(lacking ? 0 : members.size(), known, reached, awaiting, List.copyOf(rejections.values()))
            .setComplete(false)
            .setSuppressed(suppressed())
            .build();
    return new ChangeSet(state, List.of(), entries(), List.of(), deadLetters);
  }

  /** The look at its target does not tell that it was seen, so it remembers that itself. */
  private void shown(ResourceDraft draft) {
    Instant last = draft.memory.values().getLastObservedAt();
    if (last == null || last.isBefore(look.observedAt())) {
      draft.memory.values().setLastObservedAt(look.observedAt());
      draft.touched = true;
    }
  }

  static ChangeSet notFound(SnapshotContext look, PublishDecision emission) {
    SnapshotDetection work = new SnapshotDetection(look, new TargetProgress(look, emptySnapshot(look)), emission);
    AbsenceDetector absence = new AbsenceDetector(look, work.drafts, false);
    absence.notFound();
    TargetState state = work.target.unseen(0, 0, true, absence.unconfirmed.size(), List.of()).build();
    return new ChangeSet(state, List.of(), work.entries(), List.of(), List.of());
  }

  private static Snapshot emptySnapshot(SnapshotContext look) {
    return new Snapshot(look.target(), List.of(), true, null, look.observedAt());
  }

  private List<ResourceUpdate> entries() {
    DeepestPoolPrice.derive(drafts, look);
    List<ResourceUpdate> entries = new ArrayList<>();
    for (ResourceDraft draft : drafts.all()) {
      ResourceUpdate entry = emission.of(draft, look.origin(draft.asOf, draft.baseline), drafts);
      if (entry != null) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** Adds the ranking's entry; answers whether the list reaches back to the last one seen. */
  private boolean rank(List<ResourceUpdate> entries, List<PoolListing> listings) {
    Ranking ranking = Objects.requireNonNull(RankingIds.of(look.target().query()));
    ResourceDraft draft = drafts.open(ResourceKind.RANKING, ranking.getId(), ranking);
    draft.baseline = draft.isNew() || look.observedPages() != look.target().pages();
    draft.asOf = clamped(target.state(0, true, 0, List.of()).getAsOf());
    listedBefore = listed(draft);
    draft.contiguous =
        !"new".equals(ranking.getKind())
            || target.snapshot().exhausted()
            || listedBefore.isEmpty()
            || listedBefore.stream().anyMatch(listed::contains);
    RankingOrder order = new RankingOrder(List.copyOf(listed), revisions(entries));
    FacetObservation observed = new FacetObservation(order, Set.of());
    draft.observe(ResourceKind.RANKING.facet("order"), observed, look, draft.asOf);
    ResourceUpdate entry = emission.of(draft, look.origin(draft.asOf, draft.baseline), drafts);
    if (entry != null) {
      entries.add(entry);
    }
    if (entry != null && entry.change() instanceof RankingChange change) {
      listings.addAll(RankingDetector.of(change, drafts));
    }
    return draft.contiguous;
  }

  private static List<String> listed(ResourceDraft draft) {
    return draft.state instanceof RankingState state && state.getKnown().getOrder() != null
        ? state.getKnown().getOrder().getEntries()
        : List.of();
  }

  private List<Suppressed> suppressed() {
    Map<String, Suppressed> counts = new TreeMap<>();
    for (ResourceDraft draft : drafts.all()) {
      for (String facet : draft.suppressed) {
        counts.merge(
            draft.kind.name() + " " + facet,
            new Suppressed(draft.kind.name(), facet, 1L),
            (old, one) -> new Suppressed(old.getResource(), old.getFacet(), old.getCount() + 1));
      }
    }
    return List.copyOf(counts.values());
  }

  private List<Long> revisions(List<ResourceUpdate> entries) {
    Map<String, SpecificRecord> changed = new LinkedHashMap<>();
    entries.stream()
        .filter(entry -> entry.resource().equals(ResourceKind.POOL.name()))
        .forEach(entry -> changed.put(entry.key(), entry.state()));
    return listed.stream().map(pool -> revision(changed.get(pool), pool)).toList();
  }

  private long revision(@Nullable SpecificRecord written, String pool) {
    SpecificRecord state = written != null ? written : look.states().find(ResourceKind.POOL.name(), pool);
    return state == null ? 0 : StateFields.revision(state);
  }

  private List<TargetMembers> changedMembers() {
    Map<Integer, List<String>> before = new TreeMap<>();
    look.states().members(look.target().name()).forEach(page -> before.put(page.getPage(), page.getMembers()));
    List<TargetMembers> changed = new ArrayList<>();
    note(0, List.copyOf(along), before, changed);
    for (int page = 1; page <= members.size(); page++) {
      note(page, members.get(page - 1), before, changed);
    }
    before.keySet().forEach(page -> changed.add(new TargetMembers(look.target().name(), page, List.of())));
    return changed;
  }

  /** Takes the page out of those before; what is left of them in the end is no longer shown. */
  private void note(
      int page, List<String> now, Map<Integer, List<String>> before, List<TargetMembers> changed) {
    List<String> old = before.remove(page);
    if (!now.equals(old == null ? List.of() : old)) {
      changed.add(new TargetMembers(look.target().name(), page, now));
    }
  }
}
