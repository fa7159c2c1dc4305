package io.tidemark.tape;

import io.tidemark.event.Appeared;
import io.tidemark.tape.Observation.Ref;
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
 * What appears: what the first look at a target's page shows is baseline; afterwards it is created where the pool's own time lies
 * after watching began, or the newest pools reached back beyond it without it; else found.
 */
final class NoveltyLaw {
  private static final String LAW = "only what is new appears as new";

  private final @Nullable Instant watchingSince;
  private final Consumer<Complaint> complaints;
  private final Set<Ref> known = new HashSet<>();
  private final Set<Ref> gone = new HashSet<>();

  /** How many pages of each target were seen. */
  private final Map<String, Integer> seen = new HashMap<>();

  /** When the oldest pool of each list of newest pools was created, as of the last look that saw it whole. */
  private final Map<String, Instant> reach = new HashMap<>();

  NoveltyLaw(@Nullable Instant watchingSince, Consumer<Complaint> complaints) {
    this.watchingSince = watchingSince;
    this.complaints = complaints;
  }

  void take(Look look, List<Change> changes) {
    Map<Ref, Observation> shown = shown(look);
    Set<Ref> news = news(look);
    changes.forEach(change -> check(change, look, shown.get(change.ref()), news.contains(change.ref())));
    if (!look.disbelieved()) {
      seen.merge(look.target(), look.whole() ? Integer.MAX_VALUE : look.pages().size(), Math::max);
    }
    for (Page page : look.pages()) {
      if (page.asked.operation().equals("new_pools") && look.whole()) {
        if (page == look.pages().get(0)) {
          reach.remove(Key.ranking(page.asked));
        }
        page.observations.stream()
            .filter(each -> each.rank() > 0)
            .map(NoveltyLaw::created)
            .filter(created -> created != null)
            .forEach(created -> reach.put(Key.ranking(page.asked), created));
      }
    }
  }

  private static Map<Ref, Observation> shown(Look look) {
    var shown = new HashMap<Ref, Observation>();
    look.pages().forEach(page -> page.observations.forEach(each -> shown.putIfAbsent(each.ref(), each)));
    return shown;
  }

  /** What is shown first by a page that was never seen before is no news. */
  private Set<Ref> news(Look look) {
    var news = new HashSet<Ref>();
    var before = new HashSet<Ref>();
    for (int page = 0; page < look.pages().size(); page++) {
      for (Observation each : look.pages().get(page).observations) {
        if (before.add(each.ref()) && page < seen.getOrDefault(look.target(), 0)) {
          news.add(each.ref());
        }
      }
    }
    return news;
  }

  /** @param news whether the page that shows it, if one does, was seen before */
  private void check(Change change, Look look, @Nullable Observation shown, boolean news) {
    boolean first = known.add(change.ref());
    boolean back = shown != null && !look.isNft() && gone.remove(change.ref());
    if (change.part("left") != null) {
      gone.add(change.ref());
    }
    var appeared = (Appeared) change.part("appeared");
    switch (change.resource()) {
      case "ranking" -> same(change, "appeared", null, appeared);
      case "coin-day" -> same(change, "baseline or appeared", first, change.origin().getBaseline() ^ appeared != null);
      default -> {
        boolean nothingNew = first || (appeared == null && change.part("sight") == null && onlyAdds(change));
        same(change, "baseline", shown != null && !news && nothingNew, change.origin().getBaseline());
        same(change, "appeared is there", (first && news) || back, appeared != null);
      }
    }
    if (appeared != null && first && shown != null) {
      appeared(change, appeared, shown, look);
    }
  }

  /** Whether all that was said of the resource before holds still. */
  private static boolean onlyAdds(Change change) {
    return change.facets().entrySet().stream()
        .allMatch(each -> contains(each.getValue().after(), each.getValue().before(), each.getKey().equals("extra")));
  }

  /** Maps of an attribute are replaced whole, members of what nobody documented merge. */
  private static boolean contains(Map<?, ?> now, Map<?, ?> before, boolean merges) {
    return before.entrySet().stream().allMatch(each -> contains(now.get(each.getKey()), each.getValue(), merges));
  }

  private static boolean contains(@Nullable Object now, @Nullable Object before, boolean merges) {
    if (merges && before instanceof Map<?, ?> old && now instanceof Map<?, ?> members) {
      return contains(members, old, true);
    }
    return Objects.equals(before, now);
  }

  private void appeared(Change change, Appeared appeared, Observation shown, Look look) {
    same(change, "appeared.rank", shown.rank() == 0 ? null : shown.rank(), appeared.getRank());
    if (shown.rank() > 0) {
      same(change, "appeared.list", Key.ranking(look.pages().get(0).asked), appeared.getList());
    }
    if (change.resource().equals("pool")) {
      Instant created = created(shown);
      Instant back = shown.rank() > 0 ? reach.get(Key.ranking(look.pages().get(0).asked)) : null;
      boolean isNew = created != null
          && ((watchingSince != null && !created.isBefore(watchingSince)) || (back != null && back.isBefore(created)));
      same(change, "appeared.kind of a pool created " + created, isNew ? "created" : "found", appeared.getKind());
    }
  }

  private static @Nullable Instant created(Observation pool) {
    return Page.iso(pool.value("description", "pool_created_at"));
  }

  private void same(Change change, String where, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      complaints.accept(change.complaint(LAW, where, expected, found));
    }
  }
}
