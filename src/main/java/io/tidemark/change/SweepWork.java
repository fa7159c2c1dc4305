package io.tidemark.change;

import io.tidemark.event.Appeared;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Ranking;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import io.tidemark.event.Refusal;
import io.tidemark.event.Sight;
import io.tidemark.event.Suppressed;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Sweep;
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
final class SweepWork {
  /** What the service's clock and ours may differ by. */
  private static final Duration CLOCKS = Duration.ofMinutes(1);

  private final Look look;
  private final TargetLook target;
  private final Emission emission;
  private final Drafts drafts;
  private final List<List<String>> members = new ArrayList<>();
  private final Set<String> along = new LinkedHashSet<>();
  private final Set<String> listed = new LinkedHashSet<>();
  private final Set<String> observed = new HashSet<>();
  private final Map<String, Refusal> refusals = new TreeMap<>();
  private final List<DeadLetter> deadLetters = new ArrayList<>();
  private List<String> listedBefore = List.of();
  private boolean readable = true;
  private boolean lacking;
  private boolean hasList;
  private int differing;

  SweepWork(Look look, TargetLook target, Emission emission) {
    this.look = look;
    this.target = target;
    this.emission = emission;
    this.drafts = new Drafts(look.states());
  }

  Outcome outcome() {
    target.sweep().pages().forEach(this::read);
    if (target.sweep().failure() instanceof Failure.Unreadable unreadable) {
      bury(unreadable, target.sweep().pages().size() + 1);
    }
    boolean complete = readable && !lacking && target.sweep().complete();
    return complete ? whole() : partial();
  }

  private void read(Answer<?> answer) {
    if (!readable) {
      return;
    }
    try {
      take(Reading.of(answer));
    } catch (Failure.Unreadable e) {
      readable = false;
      if (!target.buried(answer)) {
        bury(e, members.size() + 1);
      }
    }
  }

  private void bury(Failure.Unreadable unreadable, int page) {
    readable = false;
    deadLetters.add(DeadLetters.of(unreadable, look.target(), page, look.observedAt()));
  }

  private void take(Reading reading) {
    int page = members.size() + 1;
    reading.observations().forEach(observation -> take(observation, page));
    members.add(reading.members());
    along.addAll(reading.along());
    lacking |= !reading.whole();
    if (reading.listed() != null) {
      hasList = true;
      listed.addAll(reading.listed());
    }
  }

  private void take(Observation observation, int page) {
    Kind kind = observation.kind();
    if (!observed.add(name(kind, observation.key()))) {
      refuse(kind, "duplicate");
      return;
    }
    Draft draft = drafts.open(kind, observation.key(), observation.seen().resource());
    draft.asOf = clamped(observation.asOf());
    if (draft.isNew()) {
      Ranking ranking = Rankings.of(look.target().query());
      Novelty.judge(draft, observation, page, look, ranking == null ? null : ranking.getId(), drafts);
    } else {
      draft.baseline = look.first(page);
      returned(draft);
    }
    Observed.facets(kind, observation.seen()).forEach((name, facet) -> {
      if (!draft.observe(kind.facet(name), facet, look, order(observation.order()))) {
        refuse(kind, TargetLook.OLDER);
      } else if (draft.disagrees(kind.facet(name), facet)) {
        differing++;
      }
    });
  }

  private static String name(Kind kind, String key) {
    return kind.name() + " " + key;
  }

  /**
   * A resource that had left, or was missed once, is there again; what was seen before that says nothing of it. Which
   * platforms there are the whole list says: the one limited to those with NFTs may be an older copy.
   */
  private void returned(Draft draft) {
    Instant last = draft.memory.values().getLastSeenAt();
    if (last != null && look.observedAt().isBefore(last)) {
      return;
    }
    boolean ofAll = !Absence.isNft(look.target().query());
    if (draft.memory.values().getLeft() != null && !ofAll) {
      return;
    }
    if (!draft.memory.values().getInSight()) {
      draft.sight = new Sight(true, draft.memory.values().getLastSeenAt());
      draft.memory.values().setInSight(true);
    }
    if (draft.memory.values().getLeft() != null) {
      draft.appeared = Appeared.newBuilder().setKind("found").build();
      draft.memory.values().setLeft(null);
    }
    if (draft.memory.values().getMissing() > 0 && ofAll) {
      draft.memory.values().setMissing(0);
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

  private void refuse(Kind kind, String reason) {
    refusals.merge(
        kind.name() + " " + reason,
        new Refusal(kind.name(), reason, 1L),
        (old, one) -> new Refusal(old.getResource(), old.getReason(), old.getCount() + 1));
  }

  private Outcome whole() {
    Absence absence = new Absence(look, drafts, look.target().pages() > 1);
    Set<String> shown = new LinkedHashSet<>();
    members.forEach(shown::addAll);
    absence.judge(shown, target.sweep().exhausted());
    absence.fade(shown, along);
    List<Entry> entries = entries();
    List<PoolListing> listings = new ArrayList<>();
    boolean reached = !hasList || rank(entries, listings);
    if (!absence.awaiting.isEmpty()) {
      members.add(absence.awaiting);
    }
    TargetState state =
        target
            .state(shown.size(), reached, absence.awaiting.size(), List.copyOf(refusals.values()))
            .setDiffering(differing)
            .setSuppressed(suppressed())
            .setMissed(reached ? null : Missed.estimate(listedBefore, List.copyOf(listed), drafts))
            .build();
    return new Outcome(state, changedMembers(), entries, listings, deadLetters);
  }

  /** Pages are missing, or lists that were asked for: what was seen counts, what was not says nothing. */
  private Outcome partial() {
    drafts.all().stream().filter(draft -> observed.contains(name(draft.kind, draft.key))).forEach(this::shown);
    TargetState before = look.before();
    int known = before == null ? 0 : before.getMembers();
    boolean reached = before == null || before.getReached();
    int awaiting = before == null ? 0 : before.getAwaiting();
    TargetState state =
        target
            .unseen(lacking ? 0 : members.size(), known, reached, awaiting, List.copyOf(refusals.values()))
            .setComplete(false)
            .setSuppressed(suppressed())
            .build();
    return new Outcome(state, List.of(), entries(), List.of(), deadLetters);
  }

  /** The look at its target does not tell that it was seen, so it remembers that itself. */
  private void shown(Draft draft) {
    Instant last = draft.memory.values().getLastSeenAt();
    if (last == null || last.isBefore(look.observedAt())) {
      draft.memory.values().setLastSeenAt(look.observedAt());
      draft.touched = true;
    }
  }

  static Outcome notFound(Look look, Emission emission) {
    SweepWork work = new SweepWork(look, new TargetLook(look, emptySweep(look)), emission);
    Absence absence = new Absence(look, work.drafts, false);
    absence.notFound();
    TargetState state = work.target.unseen(0, 0, true, absence.awaiting.size(), List.of()).build();
    return new Outcome(state, List.of(), work.entries(), List.of(), List.of());
  }

  private static Sweep emptySweep(Look look) {
    return new Sweep(look.target(), List.of(), true, null, look.observedAt());
  }

  private List<Entry> entries() {
    PoolPrices.derive(drafts, look);
    List<Entry> entries = new ArrayList<>();
    for (Draft draft : drafts.all()) {
      Entry entry = emission.of(draft, look.origin(draft.asOf, draft.baseline), drafts);
      if (entry != null) {
        entries.add(entry);
      }
    }
    return entries;
  }

  /** Adds the ranking's entry; answers whether the list reaches back to the last one seen. */
  private boolean rank(List<Entry> entries, List<PoolListing> listings) {
    Ranking ranking = Objects.requireNonNull(Rankings.of(look.target().query()));
    Draft draft = drafts.open(Kind.RANKING, ranking.getId(), ranking);
    draft.baseline = draft.isNew() || look.seenPages() != look.target().pages();
    draft.asOf = clamped(target.state(0, true, 0, List.of()).getAsOf());
    listedBefore = listed(draft);
    draft.reached =
        !"new".equals(ranking.getKind())
            || target.sweep().exhausted()
            || listedBefore.isEmpty()
            || listedBefore.stream().anyMatch(listed::contains);
    RankingOrder order = new RankingOrder(List.copyOf(listed), revisions(entries));
    Observed seen = new Observed(order, Set.of());
    draft.observe(Kind.RANKING.facet("order"), seen, look, draft.asOf);
    Entry entry = emission.of(draft, look.origin(draft.asOf, draft.baseline), drafts);
    if (entry != null) {
      entries.add(entry);
    }
    if (entry != null && entry.change() instanceof RankingChange change) {
      listings.addAll(Listings.of(change, drafts));
    }
    return draft.reached;
  }

  private static List<String> listed(Draft draft) {
    return draft.state instanceof RankingState state && state.getKnown().getOrder() != null
        ? state.getKnown().getOrder().getEntries()
        : List.of();
  }

  private List<Suppressed> suppressed() {
    Map<String, Suppressed> counts = new TreeMap<>();
    for (Draft draft : drafts.all()) {
      for (String facet : draft.suppressed) {
        counts.merge(
            draft.kind.name() + " " + facet,
            new Suppressed(draft.kind.name(), facet, 1L),
            (old, one) -> new Suppressed(old.getResource(), old.getFacet(), old.getCount() + 1));
      }
    }
    return List.copyOf(counts.values());
  }

  private List<Long> revisions(List<Entry> entries) {
    Map<String, SpecificRecord> changed = new LinkedHashMap<>();
    entries.stream()
        .filter(entry -> entry.resource().equals(Kind.POOL.name()))
        .forEach(entry -> changed.put(entry.key(), entry.state()));
    return listed.stream().map(pool -> revision(changed.get(pool), pool)).toList();
  }

  private long revision(@Nullable SpecificRecord written, String pool) {
    SpecificRecord state = written != null ? written : look.states().find(Kind.POOL.name(), pool);
    return state == null ? 0 : StateRecord.revision(state);
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
