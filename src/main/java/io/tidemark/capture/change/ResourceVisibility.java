package io.tidemark.capture.change;

import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The visibility of resources at one time: which targets show a resource, and when a resource that no target shows
 * stops being visible. A target shows all its members, also those whose absence awaits confirmation.
 *
 * @param now time at which visibility is determined
 * @param monthStart returns the start of the billing month of a time
 * @param index targets that were already read, by name; null if every lookup reads the states again
 */
record ResourceVisibility(KnownStates states, Instant now, UnaryOperator<Instant> monthStart,
    @Nullable Map<String, ShownMembers> index) {
  /**
   * Number of gaps without an observation after which a target is stale. A gap is the time between the target's last
   * two observations. A target is stale after {@link #SHORTEST} at the earliest.
   */
  private static final int GAPS = 3;
  /**
   * Number of the first snapshots of a target after which its gap says nothing about later gaps: the first round of a
   * watch list is polled faster than later rounds.
   */
  private static final int FIRST_SNAPSHOTS = 2;
  /**
   * Minimum time from the last observation of a target whose gap says nothing about the next one until the target is
   * stale, unless its newest poll failed. It is about the longest gap in a watch list whose round takes 6 hours, the
   * default maximum.
   */
  private static final Duration LONGEST_GAP = Duration.ofDays(1);

  /**
   * A target's state, or null if not known, and the pages that show each member, by key of the member.
   */
  private record ShownMembers(@Nullable TargetState state, Map<String, List<TargetMembers>> pages) {}

  /** Creates an instance for few lookups. Each lookup reads the members of a target. */
  ResourceVisibility(KnownStates states, Instant now, UnaryOperator<Instant> monthStart) {
    this(states, now, monthStart, null);
  }

  /** Returns an instance for many lookups in unchanging states. The members of each target are indexed only once. */
  static ResourceVisibility ofMany(KnownStates states, Instant now, UnaryOperator<Instant> monthStart) {
    return new ResourceVisibility(states, now, monthStart, new HashMap<>());
  }

  /**
   * Minimum time from the last observation of a target until the target is stale, or of a resource until it is not
   * visible.
   */
  static final Duration SHORTEST = Duration.ofMinutes(15);

  /** Returns the state of a target, or null if the target is stale or does not show the resource. */
  @Nullable
  TargetState showing(String target, ResourceKind kind, String key) {
    var state = state(target);
    return state != null && !isStale(state) && lists(state, kind, key) ? state : null;
  }

  /**
   * Returns whether a target shows the resource and was observed recently enough to stay informant. A new target is not
   * assumed to be observed again within a day here: values of other targets would have to wait for it.
   */
  boolean canInform(String target, ResourceKind kind, String key) {
    var state = state(target);
    return state != null && state.getObservedAt().plus(threeGaps(state)).isAfter(now) && lists(state, kind, key);
  }

  /** Returns the time at which a target was last observed, or null if the target does not show the resource. */
  @Nullable
  Instant lastShownBy(String target, ResourceKind kind, String key) {
    var state = state(target);
    return state != null && lists(state, kind, key) ? state.getObservedAt() : null;
  }

  /**
   * Returns the service's own time of the newest page on which a target shows a resource, even if the target is stale.
   * Returns null if the target does not show the resource or the time is not known. For an included token, the page is
   * not known, and the time of the target's newest page is returned. For a resource whose absence awaits confirmation,
   * the time of the last answer that had the resource is returned.
   */
  @Nullable
  Instant asOfLastShownBy(String target, ResourceKind kind, String key) {
    var state = state(target);
    return state == null
        ? null
        : pagesOf(state, kind, key).map(page -> asOf(state, page)).reduce(null, InformantElection::later);
  }

  /**
   * Returns the service's own time of the page that showed these members in the last complete snapshot, or null if not
   * known. If the page was not stored, as by an earlier version, returns the time of the oldest page. If the absence of
   * the members awaits confirmation, returns the time of the last answer that had them.
   */
  private static @Nullable Instant asOf(TargetState state, TargetMembers members) {
    var absence = members.getAbsence();
    if (absence != null) {
      return SnapshotContext.plausible(absence.getLastAsOf(), absence.getSince());
    }
    var page = members.getPage();
    var pages = state.getComplete() ? state.getPages() : state.getLastCompletePages();
    if (pages.isEmpty() || page > pages.size()) {
      return SnapshotContext.plausible(state.getAsOf(), state.getObservedAt());
    }
    return page > 0
        ? SnapshotContext.asOf(pages.get(page - 1))
        : pages.stream().map(SnapshotContext::asOf).reduce(null, InformantElection::later);
  }

  private boolean lists(TargetState state, ResourceKind kind, String key) {
    return pagesOf(state, kind, key).findAny().isPresent();
  }

  /** Returns the pages on which a target shows a resource. A resource of another kind may have the same key. */
  private Stream<TargetMembers> pagesOf(TargetState state, ResourceKind kind, String key) {
    var target = state.getTarget();
    var operation = Operation.of(state.getOperation());
    var pages = index == null
        ? states.members(target).stream().filter(page -> page.getMembers().contains(key))
        : index.computeIfAbsent(target, this::shownMembers).pages().getOrDefault(key, List.of()).stream();
    return pages.filter(page -> shows(page, operation, kind, key));
  }

  /** Returns whether a page with the given key shows a resource of the given kind, as {@link #byKind} has it. */
  private static boolean shows(TargetMembers page, Operation operation, ResourceKind kind, String key) {
    if (page.getPage() == 0) {
      return kind == ResourceKind.TOKEN;
    }
    var isFirst = page.getPage() == 1 && page.getMembers().get(0).equals(key);
    var subject = isFirst ? ResourceKind.subjectOf(operation) : null;
    return kind == ResourceKind.listedBy(operation)
        ? subject == null || subject == kind || page.getMembers().lastIndexOf(key) > 0
        : kind == subject;
  }

  private @Nullable TargetState state(String target) {
    return index == null ? states.targetState(target) : index.computeIfAbsent(target, this::shownMembers).state();
  }

  private ShownMembers shownMembers(String target) {
    return new ShownMembers(states.targetState(target), pagesByMember(target));
  }

  private Map<String, List<TargetMembers>> pagesByMember(String target) {
    var pages = new HashMap<String, List<TargetMembers>>();
    for (var page : states.members(target)) {
      page.getMembers().forEach(key -> pages.computeIfAbsent(key, any -> new ArrayList<>(1)).add(page));
    }
    return pages;
  }

  boolean isShown(DetectionMemory memory, ResourceKind kind, String key) {
    return targetsOf(memory, key).anyMatch(target -> showing(target, kind, key) != null);
  }

  /**
   * Returns the time at which a resource that no target shows stops being visible. The resource stays visible, after
   * its last observation, for three times the gap of the target with the longest gap, but at least for {@link
   * #SHORTEST}.
   */
  Instant notVisibleAt(DetectionMemory memory, String key, Instant lastObservedAt) {
    var longest = Stream.concat(Stream.of(SHORTEST), targetsOf(memory, key).map(this::threeGaps))
        .max(Duration::compareTo).orElseThrow();
    return lastObservedAt.plus(longest);
  }

  /**
   * Returns the time at which a resource was last observed, according to its memory and its targets.
   *
   * @param stateObservedAt time of the resource's state, used if the memory has no time
   */
  Instant lastObservedAt(DetectionMemory memory, ResourceKind kind, String key, Instant stateObservedAt) {
    var remembered = memory.values().getLastObservedAt();
    return targetsOf(memory, key).flatMap(target -> Stream.ofNullable(lastShownBy(target, kind, key)))
        .reduce(remembered != null ? remembered : stateObservedAt, (one, other) -> other.isAfter(one) ? other : one);
  }

  /**
   * Returns the targets in whose answers a resource was: the remembered targets and, if more targets may exist than are
   * remembered, every target that has the resource as a member. Members are looked up only after all remembered targets
   * are consumed.
   */
  private Stream<String> targetsOf(DetectionMemory memory, String key) {
    return Stream.concat(memory.targets().stream(),
        Stream.of(key).filter(any -> memory.isFull()).flatMap(each -> states.targetsWithMember(each).stream()));
  }

  /**
   * Returns a remembered target that no longer shows the resource and that the target {@code by} may replace, or null
   * if no target may be replaced. The replacement does not shorten the time for which the resource stays visible.
   */
  @Nullable
  String replaceable(DetectionMemory memory, ResourceKind kind, String key, String by) {
    var gone = memory.replaceable().stream()
        .filter(target -> showing(target, kind, key) == null)
        .sorted(Comparator.comparing(this::threeGaps))
        .toList();
    return gone.size() > 1 || (gone.size() == 1 && threeGaps(gone.get(0)).compareTo(threeGaps(by)) <= 0)
        ? gone.get(0)
        : null;
  }

  private Duration threeGaps(String target) {
    var state = state(target);
    return state == null ? Duration.ZERO : threeGaps(state);
  }

  /**
   * Returns the keys of a target's members, by the name of their kind. Resources of two kinds may have the same key,
   * since the address of some pools is also that of a token.
   */
  static Map<String, Set<String>> byKind(Operation operation, List<TargetMembers> members) {
    var listed = ResourceKind.listedBy(operation);
    var subject = Objects.requireNonNullElse(ResourceKind.subjectOf(operation), listed);
    var keys = new LinkedHashMap<String, Set<String>>();
    for (var page : members) {
      var first = page.getPage() == 0 ? ResourceKind.TOKEN : page.getPage() == 1 ? subject : listed;
      var others = page.getPage() == 0 ? ResourceKind.TOKEN : listed;
      for (var i = 0; i < page.getMembers().size(); i++) {
        keys.computeIfAbsent((i == 0 ? first : others).resource(), any -> new LinkedHashSet<>())
            .add(page.getMembers().get(i));
      }
    }
    return keys;
  }

  /** Returns whether a target was not observed for so long that it no longer counts as showing its members. */
  boolean isStale(TargetState state) {
    return !staleAt(state, monthStart).isAfter(now);
  }

  /**
   * Returns the time at which a target becomes stale if it is not observed again. The schedule may slow down at the
   * start of a billing month, so a gap says nothing about a later gap if a month began since the gap began.
   */
  static Instant staleAt(TargetState state, UnaryOperator<Instant> monthStart) {
    var gaps = threeGaps(state);
    var staleAt = state.getObservedAt().plus(gaps);
    var before = state.getPreviousObservedAt();
    var isGapUnknown = before == null
        || state.getSnapshot() <= FIRST_SNAPSHOTS
        || before.isBefore(monthStart.apply(staleAt));
    return state.getComplete() && isGapUnknown && gaps.compareTo(LONGEST_GAP) < 0
        ? state.getObservedAt().plus(LONGEST_GAP)
        : staleAt;
  }

  /** Returns three times the gap between the last two observations of a target, but at least {@link #SHORTEST}. */
  private static Duration threeGaps(TargetState state) {
    var before = state.getPreviousObservedAt();
    var gap = before == null ? Duration.ZERO : Duration.between(before, state.getObservedAt());
    var gaps = gap.multipliedBy(GAPS);
    return gaps.compareTo(SHORTEST) < 0 ? SHORTEST : gaps;
  }
}
