package io.tidemark.serve.mirror;

import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentHashMap.KeySetView;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The targets that were observed and whose states have not been removed, with the time at which each was last
 * observed and the resources that each shows. A target that is no longer watched stays until its state is removed.
 * Also knows which queries are watched but were not observed yet. One thread writes; any
 * thread reads.
 */
final class WatchedTargets {
  private static final int SMALL = 16;
  /** How long a target may be overdue before it counts as no longer watched, from the time at which it was due. */
  private static final Duration MAX_DELAY = Duration.ofHours(1);

  /**
   * Maximum time after an observation for which its content counts as fresh. The last gap may span an outage, and then
   * it says nothing about the next observation.
   */
  private static final Duration MAX_FRESHNESS = Duration.ofMinutes(5);

  private final Function<String, Query<?>> parse;

  /** The queries that the configuration watches, by their {@link Query#subject}. */
  private final Map<String, List<Query<?>>> configured;

  private final Predicate<Query.CoinHistory> isConfiguredDay;

  /** The targets that were polled but never observed, by name. */
  private final Map<String, UnobservedTarget> unobserved = new ConcurrentHashMap<>();

  private final Map<String, MirroredTarget> byName = new ConcurrentHashMap<>();

  /** Names of the targets with the same {@link Query#subject}, by the subject. */
  private final Map<String, Set<String>> bySubject = new ConcurrentHashMap<>();

  private final Map<String, Map<Integer, MemberPage>> members = new ConcurrentHashMap<>();

  /** Names of the targets that show a token, by the key of the token, in the sense of {@link #isShown}. */
  private final Map<String, Set<String>> tokenShownBy = new ConcurrentHashMap<>();

  /** Names of the targets that show a resource of another kind, likewise. Some pools have the address of a token. */
  private final Map<String, Set<String>> shownBy = new ConcurrentHashMap<>();

  /**
   * @param parse returns the query for a target's name; throws {@link IllegalArgumentException} if the name is
   *     invalid
   * @param configured queries that the configuration watches, without the days of histories
   * @param isConfiguredDay returns whether the configuration watches a day of a history at present
   */
  WatchedTargets(Function<String, Query<?>> parse, Collection<Query<?>> configured,
      Predicate<Query.CoinHistory> isConfiguredDay) {
    this.parse = parse;
    this.isConfiguredDay = isConfiguredDay;
    this.configured = configured.stream().collect(Collectors.groupingBy(Query::subject));
  }

  /**
   * A target that was polled, with times in milliseconds since 1970.
   *
   * @param observedAt time of the last observation
   * @param gap time between the last two observations; 0 if there was only one
   * @param contentAt time at which, according to the service, the content of the last observation was current; {@code
   *     observedAt} if that time is unknown
   * @param pages number of pages that were observed
   * @param exhausted whether the list ends within the observed pages
   */
  record MirroredTarget(String name, long observedAt, long gap, long contentAt, int pages, boolean exhausted) {

    Instant contentTime() {
      return Instant.ofEpochMilli(contentAt);
    }

    /** Returns the time of the observation before the last one, or null if there was only one observation. */
    @Nullable
    Instant previousObservedAt() {
      return gap == 0 ? null : Instant.ofEpochMilli(observedAt - gap);
    }

    /**
     * Returns how long after {@link #contentTime} the content is fresh, assuming that the next observation follows
     * after the same gap as the last observation, or after {@link #MAX_FRESHNESS} if the gap is longer.
     */
    Duration freshness() {
      return Duration.ofMillis(Math.max(0, Math.min(gap, MAX_FRESHNESS.toMillis()) + observedAt - contentAt));
    }
  }

  /**
   * @param refusal the service's reason for refusing the query; null if it did not refuse it
   * @param until time by which the target, if it is still watched, has been polled again
   */
  private record UnobservedTarget(Query<?> query, @Nullable String refusal, Instant until) {}

  /**
   * @param tokens number of tokens; their keys precede those of other resources
   * @param missing whether the target no longer shows these keys, but their absence is not confirmed yet
   */
  private record MemberPage(List<String> keys, int tokens, boolean missing) {

    List<String> keys(boolean ofTokens) {
      return ofTokens ? keys.subList(0, tokens) : keys.subList(tokens, keys.size());
    }
  }

  int size() {
    return byName.size();
  }

  void put(TargetState state) {
    var name = state.getTarget().intern();
    var query = parsed(name);
    if (query == null) {
      return;
    }
    var pages = Objects.requireNonNullElse(state.getObservedPages(), 0);
    if (pages == 0 || (!state.getComplete() && state.getLastCompletePages().isEmpty())) { // it was never observed whole
      var retry = state.getRetry();
      var nextAt = retry == null
          ? Objects.requireNonNullElse(state.getAttemptedAt(), state.getObservedAt())
          : retry.getNextAt();
      unobserved.put(name, new UnobservedTarget(
          query, retry != null && retry.getLooksFinal() ? retry.getReason() : null, nextAt.plus(MAX_DELAY)));
      return;
    }
    unobserved.remove(name);
    var observedAt = state.getObservedAt().toEpochMilli();
    var previous = Objects.requireNonNullElse(state.getPreviousObservedAt(), state.getObservedAt());
    var asOf = Objects.requireNonNullElse(state.getAsOf(), state.getObservedAt());
    byName.put(name, new MirroredTarget(name, observedAt, observedAt - previous.toEpochMilli(), asOf.toEpochMilli(),
        pages, state.getExhausted()));
    bySubject.merge(query.subject(), Set.of(name), WatchedTargets::union);
  }

  void remove(String name) {
    var target = byName.remove(name);
    if (target != null) {
      bySubject.computeIfPresent(query(target).subject(), (any, names) -> without(names, name));
    }
    unobserved.remove(name);
  }

  Query<?> query(MirroredTarget target) {
    return parse.apply(target.name());
  }

  /** Returns the query for a target's name, or null if another version of the program wrote the name. */
  private @Nullable Query<?> parsed(String name) {
    try {
      return parse.apply(name);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Stores a page of a target's members. Returns the keys that the target no longer shows. */
  Set<String> put(TargetMembers page) {
    var keys = List.copyOf(page.getMembers().stream().map(String::intern).toList());
    return putPage(page.getTarget().intern(), page.getPage(), keys, page.getAbsence() != null);
  }

  /**
   * Removes a page of members by its key, {@code <target>#<page>}. Returns the keys that the target no longer shows.
   */
  Set<String> removePage(String key) {
    var mark = key.lastIndexOf('#');
    var page = mark < 0 ? "" : key.substring(mark + 1);
    return page.matches("[0-9]{1,6}")
        ? putPage(key.substring(0, mark), Integer.parseInt(page), List.of(), false)
        : Set.of();
  }

  private Set<String> putPage(String target, int number, List<String> keys, boolean missing) {
    var page = new MemberPage(keys, Math.min(keys.size(), mostTokens(target, number)), missing);
    var pages = new TreeMap<Integer, MemberPage>(members.getOrDefault(target, Map.of()));
    var before = keys.isEmpty() ? pages.remove(number) : pages.put(number, page);
    members.compute(target, (any, old) -> pages.isEmpty() ? null : Map.copyOf(pages));
    var one = Set.of(target);
    var allGone = new HashSet<String>();
    for (var ofTokens : List.of(true, false)) {
      var index = ofTokens ? tokenShownBy : shownBy;
      page.keys(ofTokens).forEach(key -> index.merge(key, one, WatchedTargets::union));
      var gone = new HashSet<>(before == null ? List.of() : before.keys(ofTokens));
      pages.values().forEach(each -> gone.removeAll(each.keys(ofTokens)));
      gone.forEach(key -> index.computeIfPresent(key, (any, targets) -> without(targets, target)));
      allGone.addAll(gone);
    }
    return allGone;
  }

  /**
   * Returns the maximum number of tokens on a page of a target's members. Page 0 has only included tokens, and page 1
   * of a token's target begins with the token. All other members are of other kinds.
   */
  private int mostTokens(String target, int page) {
    return page == 0 ? Integer.MAX_VALUE : page == 1 && parsed(target) instanceof Query.TokenByAddress ? 1 : 0;
  }

  /**
   * Returns the union of two sets. A small set is copied, because an immutable copy takes little memory. A set that
   * has become large, such as the set of targets that show a common token, is extended in place.
   */
  private static Set<String> union(Set<String> some, Set<String> others) {
    if (some.containsAll(others)) {
      return some;
    }
    var all = some instanceof KeySetView ? some : some.size() < SMALL ? new HashSet<>(some) : concurrent(some);
    all.addAll(others);
    return all instanceof HashSet ? Set.copyOf(all) : all;
  }

  private static Set<String> concurrent(Set<String> some) {
    Set<String> all = ConcurrentHashMap.newKeySet();
    all.addAll(some);
    return all;
  }

  private static @Nullable Set<String> without(Set<String> targets, String target) {
    var others = targets instanceof KeySetView ? targets : new HashSet<>(targets);
    others.remove(target);
    return others.isEmpty() ? null : others instanceof HashSet ? Set.copyOf(others) : others;
  }

  /**
   * Returns whether any target shows a resource. A target also shows the tokens that were included with its pages,
   * and resources whose absence is not confirmed yet.
   *
   * @param resource name of the kind of resource
   */
  boolean isShown(String resource, String key) {
    return shownBy(resource).containsKey(key);
  }

  private Map<String, Set<String>> shownBy(String resource) {
    return resource.equals("token") ? tokenShownBy : shownBy;
  }

  /**
   * Returns the most recently observed target that shows a pool in the sense of {@link #isShown}, or null if no
   * target shows it.
   */
  @Nullable
  MirroredTarget lastShowingPool(String key) {
    return newest(shownBy.getOrDefault(key, Set.of()).stream());
  }

  /**
   * Returns the most recently observed target that answers a query, whichever page the query requests, or null if no
   * target answers the query.
   */
  @Nullable
  MirroredTarget find(Query<?> query) {
    return newest(bySubject.getOrDefault(query.subject(), Set.of()).stream()
        .filter(name -> {
          var target = byName.get(name);
          return target != null && answers(query(target), query) && !selectsFromPart(target, query);
        }));
  }

  /**
   * Returns whether a query asks for the tickers of some exchanges, and the target lists those of all exchanges but
   * its observed pages do not reach the end of the list. A selection from these pages would be incomplete.
   */
  private boolean selectsFromPart(MirroredTarget target, Query<?> query) {
    return !target.exhausted()
        && query instanceof Query.CoinTickers asked
        && asked.exchangeIds() != null
        && query(target) instanceof Query.CoinTickers watched
        && watched.exchangeIds() == null;
  }

  /** Returns whether a query is watched whose target was never observed. */
  boolean awaitsFirstObservation(Query<?> query, Instant now) {
    return find(query) == null
        && (unobserved(query).anyMatch(each -> now.isBefore(each.until))
            || (query instanceof Query.CoinHistory day && isConfiguredDay.test(day))
            || configured.getOrDefault(query.subject(), List.of()).stream()
                .anyMatch(each -> answers(each, query) && find(each) == null));
  }

  /** Returns why the service refused the query of a target that was never observed, or null if it did not refuse it. */
  @Nullable
  String refusal(Query<?> query) {
    return unobserved(query).map(UnobservedTarget::refusal).filter(Objects::nonNull).findFirst().orElse(null);
  }

  private Stream<UnobservedTarget> unobserved(Query<?> query) {
    return unobserved.values().stream()
        .filter(each -> each.query.subject().equals(query.subject()) && answers(each.query, query));
  }

  private @Nullable MirroredTarget newest(Stream<String> names) {
    return names.map(byName::get).filter(Objects::nonNull)
        .max(Comparator.comparingLong(MirroredTarget::observedAt).thenComparing(MirroredTarget::name))
        .orElse(null);
  }

  /**
   * Returns the keys of the resources that a target lists, in order, each once. Included tokens are left out, and so
   * is each page of keys that are missing but whose absence is not confirmed yet.
   */
  List<String> shown(MirroredTarget target) {
    return new TreeMap<>(members.getOrDefault(target.name(), Map.of())).tailMap(1).values().stream()
        .filter(page -> !page.missing())
        .flatMap(page -> page.keys().stream())
        .distinct()
        .toList();
  }

  /** Returns the exchanges in a value of {@code exchange_ids}. */
  static Set<String> exchanges(String ids) {
    return Stream.of(ids.split(",", 0)).map(String::strip).collect(Collectors.toSet());
  }

  /**
   * Returns whether a target can answer another query with the same subject. Parameters that only order the answer or
   * add data to it are not compared.
   */
  private static boolean answers(Query<?> watched, Query<?> asked) {
    return switch (asked) {
      case Query.TokenByAddress q -> watched instanceof Query.TokenByAddress each
          && each.inactiveSource() == q.inactiveSource();
      case Query.TokenPools q -> watched instanceof Query.TokenPools each
          && each.inactiveSource() == q.inactiveSource();
      case Query.CoinTickers q -> watched instanceof Query.CoinTickers each
          && (each.exchangeIds() == null
              || (q.exchangeIds() != null && exchanges(each.exchangeIds()).equals(exchanges(q.exchangeIds()))));
      case Query.DerivativesExchangeById q -> watched instanceof Query.DerivativesExchangeById each
          && (q.includeTickers() == null || each.includeTickers() == q.includeTickers()
              || each.includeTickers() == IncludeTickers.ALL);
      default -> true;
    };
  }
}
