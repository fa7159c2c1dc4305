package io.tidemark.eventlog;

import io.tidemark.event.Appeared;
import io.tidemark.eventlog.ObservedResource.Ref;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The law of baselines and appearances. A resource on the first snapshot of a page is a baseline. A later one is
 * created if its own time lies after watching began or after the oldest pool of the last list of new pools; otherwise
 * it is found.
 */
final class NoveltyLaw {
  private static final String LAW = "only what is new appears as new";

  private final @Nullable Instant watchingSince;
  private final Consumer<Violation> violations;
  private final Set<Ref> known = new HashSet<>();
  private final Set<Ref> removed = new HashSet<>();

  /** The number of observed pages of each target. */
  private final Map<String, Integer> observedPages = new HashMap<>();

  /** By list of new pools, the creation time of the oldest pool in its last complete snapshot. */
  private final Map<String, Instant> oldest = new HashMap<>();

  NoveltyLaw(@Nullable Instant watchingSince, Consumer<Violation> violations) {
    this.watchingSince = watchingSince;
    this.violations = violations;
  }

  void take(SnapshotRecord snapshot, List<RecordedChange> changes) {
    Map<Ref, ObservedResource> observed = observed(snapshot);
    Set<Ref> news = news(snapshot);
    changes.forEach(change -> check(change, snapshot, observed.get(change.ref()), news.contains(change.ref())));
    if (!snapshot.disbelieved()) {
      observedPages.merge(snapshot.target(), snapshot.whole() ? Integer.MAX_VALUE : snapshot.pages().size(), Math::max);
    }
    for (ParsedBody page : snapshot.pages()) {
      if (page.query.operation().equals("new_pools") && snapshot.whole()) {
        if (page == snapshot.pages().get(0)) {
          oldest.remove(RecordKeys.ranking(page.query));
        }
        page.observations.stream()
            .filter(ObservedResource::inList)
            .map(NoveltyLaw::created)
            .filter(created -> created != null)
            .forEach(created -> oldest.put(RecordKeys.ranking(page.query), created));
      }
    }
  }

  private static Map<Ref, ObservedResource> observed(SnapshotRecord snapshot) {
    var observed = new HashMap<Ref, ObservedResource>();
    snapshot.pages().forEach(page -> page.observations.forEach(each -> observed.putIfAbsent(each.ref(), each)));
    return observed;
  }

  /** Returns the resources that appear as new: those on pages that were observed before. */
  private Set<Ref> news(SnapshotRecord snapshot) {
    var news = new HashSet<Ref>();
    var before = new HashSet<Ref>();
    for (int page = 0; page < snapshot.pages().size(); page++) {
      for (ObservedResource each : snapshot.pages().get(page).observations) {
        if (before.add(each.ref()) && page < observedPages.getOrDefault(snapshot.target(), 0)) {
          news.add(each.ref());
        }
      }
    }
    return news;
  }

  /** @param news whether the page that shows it was observed before */
  private void check(RecordedChange change, SnapshotRecord snapshot, @Nullable ObservedResource observed,
      boolean news) {
    boolean first = known.add(change.ref());
    boolean back = observed != null && !snapshot.isNft() && removed.remove(change.ref());
    if (change.part("removed") != null) {
      removed.add(change.ref());
    }
    var appeared = (Appeared) change.part("appeared");
    switch (change.resource()) {
      case "ranking" -> same(change, "appeared", null, appeared);
      case "coin-day" -> same(change, "baseline or appeared", first, change.origin().getBaseline() ^ appeared != null);
      default -> {
        boolean nothingNew = first || (appeared == null && change.part("visibility") == null && onlyAdds(change));
        same(change, "baseline", observed != null && !news && nothingNew, change.origin().getBaseline());
        same(change, "appeared is there", (first && news) || back, appeared != null);
      }
    }
    if (appeared != null && first && observed != null) {
      appeared(change, appeared, observed, snapshot);
    }
  }

  /** Returns whether a change only adds to what was published of the resource before. */
  private static boolean onlyAdds(RecordedChange change) {
    return change.facets().entrySet().stream()
        .allMatch(each -> contains(each.getValue().after(), each.getValue().before(), each.getKey().equals("extra")));
  }

  /** Returns whether a map contains another; attribute maps are replaced whole, undocumented members merge. */
  private static boolean contains(Map<?, ?> now, Map<?, ?> before, boolean merges) {
    return before.entrySet().stream().allMatch(each -> contains(now.get(each.getKey()), each.getValue(), merges));
  }

  private static boolean contains(@Nullable Object now, @Nullable Object before, boolean merges) {
    if (merges && before instanceof Map<?, ?> old && now instanceof Map<?, ?> members) {
      return contains(members, old, true);
    }
    return Objects.equals(before, now);
  }

  private void appeared(RecordedChange change, Appeared appeared, ObservedResource observed, SnapshotRecord snapshot) {
    same(change, "appeared.rank", observed.inList() ? rank(observed, snapshot) : null, appeared.getRank());
    if (observed.inList()) {
      same(change, "appeared.list", RecordKeys.ranking(snapshot.pages().get(0).query), appeared.getList());
    }
    if (change.resource().equals("pool")) {
      Instant created = created(observed);
      Instant back = observed.inList() ? oldest.get(RecordKeys.ranking(snapshot.pages().get(0).query)) : null;
      boolean isNew = created != null
          && ((watchingSince != null && !created.isBefore(watchingSince)) || (back != null && back.isBefore(created)));
      same(change, "appeared.kind of a pool created " + created, isNew ? "created" : "found", appeared.getKind());
    }
  }

  /** Returns the place of a pool, from 1, in the list of all pages, which has each pool once. */
  private static int rank(ObservedResource pool, SnapshotRecord snapshot) {
    return 1 + snapshot.pages().stream().map(page -> page.listed).filter(Objects::nonNull).flatMap(List::stream)
        .distinct().toList().indexOf(pool.key());
  }

  private static @Nullable Instant created(ObservedResource pool) {
    return ParsedBody.iso(pool.value("description", "pool_created_at"));
  }

  private void same(RecordedChange change, String where, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      violations.accept(change.violation(LAW, where, expected, found));
    }
  }
}
