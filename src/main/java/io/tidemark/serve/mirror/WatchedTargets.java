package io.tidemark.serve.mirror;

import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.ResourceKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The watched targets, when each was last observed, and what each shows. One thread writes; any thread reads. */
final class WatchedTargets {
  private final Function<String, Query<?>> parse;
  private final Map<String, MirroredTarget> byName = new ConcurrentHashMap<>();

  /** Names of targets by what they ask for, whatever their other parameters. */
  private final Map<String, Set<String>> bySubject = new ConcurrentHashMap<>();

  private final Map<String, SortedMap<Integer, MemberPage>> members = new ConcurrentHashMap<>();

  /** Names of the targets that show a resource, by its key. */
  private final Map<String, Set<String>> shownBy = new ConcurrentHashMap<>();

  /** @param parse the query of a target's name; throws {@link IllegalArgumentException} where it is none */
  WatchedTargets(Function<String, Query<?>> parse) {
    this.parse = parse;
  }

  /**
   * A target that was polled.
   *
   * @param observedAt when it was last observed
   * @param previousObservedAt when it was observed before that; null where it was not
   * @param asOf the service's own time of that observation; null where it is not known
   * @param pages how many pages were observed
   * @param exhausted whether the list ends within them
   */
  record MirroredTarget(String name, Query<?> query, Instant observedAt, @Nullable Instant previousObservedAt,
      @Nullable Instant asOf, int pages, boolean exhausted) {

    /** The time of its content. */
    Instant contentTime() {
      return asOf == null ? observedAt : asOf;
    }

    /** How long its content is fresh: until the next poll, if that comes after as long a time as the last one. */
    Duration freshness() {
      var gap = previousObservedAt == null ? Duration.ZERO : Duration.between(previousObservedAt, observedAt);
      var fresh = gap.plus(Duration.between(contentTime(), observedAt));
      return fresh.isNegative() ? Duration.ZERO : fresh;
    }
  }

  /** @param missing whether the target lacks these keys, and that is not confirmed */
  private record MemberPage(List<String> keys, boolean missing) {}

  int size() {
    return byName.size();
  }

  void put(TargetState state) {
    var name = state.getTarget();
    Query<?> query;
    try {
      query = parse.apply(name);
    } catch (IllegalArgumentException e) {
      return; // of another version of the program
    }
    var pages = Objects.requireNonNullElse(state.getObservedPages(), 0);
    if (pages == 0) {
      return; // it never was observed
    }
    byName.put(name, new MirroredTarget(name, query, state.getObservedAt(), state.getPreviousObservedAt(),
        state.getAsOf(), pages, state.getExhausted()));
    bySubject.computeIfAbsent(subject(query), any -> ConcurrentHashMap.newKeySet()).add(name);
  }

  void remove(String name) {
    var target = byName.remove(name);
    if (target != null) {
      bySubject.computeIfPresent(subject(target.query()),
          (any, names) -> names.remove(name) && names.isEmpty() ? null : names);
    }
  }

  /** Puts a page of members. Returns the keys that the target does not show any more. */
  Set<String> put(TargetMembers page) {
    var keys = page.getMembers().stream().map(String::intern).toList();
    return putPage(page.getTarget(), page.getPage(), new MemberPage(keys, page.getAbsence() != null));
  }

  /** Removes a page by its key, {@code <target>#<page>}. */
  Set<String> removePage(String key) {
    var mark = key.lastIndexOf('#');
    var page = mark < 0 ? "" : key.substring(mark + 1);
    return page.matches("[0-9]{1,6}")
        ? putPage(key.substring(0, mark), Integer.parseInt(page), new MemberPage(List.of(), false))
        : Set.of();
  }

  private Set<String> putPage(String target, int number, MemberPage page) {
    var keys = page.keys();
    var pages = new TreeMap<Integer, MemberPage>(members.getOrDefault(target, new TreeMap<>()));
    var before = keys.isEmpty() ? pages.remove(number) : pages.put(number, page);
    members.compute(target, (any, old) -> pages.isEmpty() ? null : pages);
    var one = Set.of(target);
    keys.forEach(key -> shownBy.merge(key, one, WatchedTargets::union));
    var gone = new HashSet<>(before == null ? List.of() : before.keys());
    pages.values().forEach(each -> gone.removeAll(each.keys()));
    gone.forEach(key -> shownBy.computeIfPresent(key, (any, targets) -> without(targets, target)));
    return gone;
  }

  private static Set<String> union(Set<String> some, Set<String> others) {
    var all = new HashSet<>(some);
    return all.addAll(others) ? Set.copyOf(all) : some;
  }

  private static @Nullable Set<String> without(Set<String> targets, String target) {
    var others = new HashSet<>(targets);
    others.remove(target);
    return others.isEmpty() ? null : Set.copyOf(others);
  }

  /** Whether any target shows a resource. */
  boolean isShown(String key) {
    return shownBy.containsKey(key);
  }

  /** The target that observed a resource last; null where none shows it. */
  @Nullable
  MirroredTarget lastShowing(String key) {
    return newest(shownBy.getOrDefault(key, Set.of()).stream());
  }

  /** The target that answers a query, whichever page it asks for; null where none does. */
  @Nullable
  MirroredTarget find(Query<?> query) {
    return newest(bySubject.getOrDefault(subject(query), Set.of()).stream()
        .filter(name -> {
          var target = byName.get(name);
          return target != null && answers(target.query(), query);
        }));
  }

  private @Nullable MirroredTarget newest(Stream<String> names) {
    return names.map(byName::get).filter(Objects::nonNull)
        .max(Comparator.comparing(MirroredTarget::observedAt).thenComparing(MirroredTarget::name))
        .orElse(null);
  }

  /** Keys that a target shows, in order, each once. */
  List<String> shown(MirroredTarget target) {
    return members.getOrDefault(target.name(), new TreeMap<>()).tailMap(1).values().stream()
        .filter(page -> !page.missing())
        .flatMap(page -> page.keys().stream())
        .distinct()
        .toList();
  }

  /** What a query asks for, apart from its page and from what it wants to see of it. */
  private static String subject(Query<?> query) {
    return query.operation().wire() + " " + switch (query) {
      case Query.TokenByAddress q -> ResourceKeys.of(q.network(), q.address());
      case Query.PoolByAddress q -> ResourceKeys.of(q.network(), q.address());
      case Query.TokenPools q -> ResourceKeys.of(q.network(), q.tokenAddress(), q.sort().wire());
      case Query.DexPools q -> ResourceKeys.of(q.network(), q.dex(), q.sort().wire());
      case Query.TrendingPools q -> ResourceKeys.of(q.network(), q.duration().wire());
      case Query.NewPools q -> q.network();
      case Query.SearchPools q -> ResourceKeys.of(q.network() == null ? "" : q.network(), q.query());
      case Query.GlobalMarket q -> "";
      case Query.CoinHistory q -> ResourceKeys.of(q.id(), q.date().toString());
      case Query.CoinTickers q -> q.id();
      case Query.DerivativesExchangeById q -> q.id();
      case Query.PublicTreasury q -> q.entityId();
      case Query.AssetPlatforms q -> q.filter() == null ? "" : q.filter().wire();
    };
  }

  /** Whether what a target observes includes what a query with the same subject asks for. */
  private static boolean answers(Query<?> watched, Query<?> asked) {
    return switch (asked) {
      case Query.TokenByAddress q -> watched instanceof Query.TokenByAddress each
          && each.inactiveSource() == q.inactiveSource();
      case Query.TokenPools q -> watched instanceof Query.TokenPools each
          && each.inactiveSource() == q.inactiveSource();
      case Query.CoinTickers q -> watched instanceof Query.CoinTickers each
          && (each.exchangeIds() == null || each.exchangeIds().equals(q.exchangeIds()));
      case Query.DerivativesExchangeById q -> watched instanceof Query.DerivativesExchangeById each
          && (q.includeTickers() == null || each.includeTickers() == q.includeTickers()
              || each.includeTickers() == IncludeTickers.ALL);
      default -> true;
    };
  }
}
