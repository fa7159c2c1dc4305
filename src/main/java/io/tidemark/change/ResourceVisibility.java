package io.tidemark.change;

import io.tidemark.event.PageRecord;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import io.tidemark.market.Operation;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which targets show a resource at a time, and when a resource that none shows is no longer visible.
 *
 * @param index targets read already, for the time of one snapshot; null where every question reads them
 */
record ResourceVisibility(KnownStates states, Instant now, @Nullable Map<String, ShownMembers> index) {
  /** A target that was not observed for this many of the gaps between its snapshots shows nothing any more. */
  private static final int GAPS = 3;

  /** A target that is known, and the numbers of the pages on which it shows each member. */
  private record ShownMembers(@Nullable TargetState state, Map<String, List<Integer>> pages) {}

  /** For few questions, each of which reads the members of a target. */
  ResourceVisibility(KnownStates states, Instant now) {
    this(states, now, null);
  }

  /** For many questions about states that stay as they are: the members of a target are indexed once. */
  static ResourceVisibility ofMany(KnownStates states, Instant now) {
    return new ResourceVisibility(states, now, new HashMap<>());
  }

  /** The shortest time without being shown after which a resource is not visible. */
  static final Duration SHORTEST = Duration.ofMinutes(15);

  /** The state of a target that is not stale and shows the resource; null where it does not. */
  @Nullable
  TargetState showing(String target, String key) {
    var state = state(target);
    return state != null && !isStale(state, now) && lists(target, key) ? state : null;
  }

  /** When a target that shows the resource was last observed, however long ago; null where it does not show it. */
  @Nullable
  Instant lastShownBy(String target, String key) {
    var state = state(target);
    return state != null && lists(target, key) ? state.getObservedAt() : null;
  }

  /**
   * The service's own time of the newest answer by which a target shows a resource, however long ago; null where it does
   * not show it, or the time is not known. Which page included a token is not known: it is as new as the newest.
   */
  @Nullable
  Instant asOfLastShownBy(String target, String key) {
    var state = state(target);
    if (state == null) {
      return null;
    }
    Instant newest = null;
    for (var page : pagesOf(target, key)) {
      newest = InformantElection.later(newest, asOf(state, page));
    }
    return newest;
  }

  /** A partial snapshot does not prove what is on its pages: the time of the newest complete one counts. */
  private static @Nullable Instant asOf(TargetState state, int page) {
    var pages = state.getPages();
    if (!state.getComplete() || page > pages.size()) {
      return state.getAsOf();
    }
    return page > 0
        ? pages.get(page - 1).getAsOf()
        : pages.stream().map(PageRecord::getAsOf).reduce(null, InformantElection::later);
  }

  private boolean lists(String target, String key) {
    return !pagesOf(target, key).isEmpty();
  }

  /** Numbers of the pages on which a target shows a resource. */
  private List<Integer> pagesOf(String target, String key) {
    return index == null
        ? states.members(target).stream()
            .filter(page -> page.getMembers().contains(key)).map(TargetMembers::getPage).toList()
        : index.computeIfAbsent(target, this::shownMembers).pages().getOrDefault(key, List.of());
  }

  private @Nullable TargetState state(String target) {
    return index == null ? states.targetState(target) : index.computeIfAbsent(target, this::shownMembers).state();
  }

  private ShownMembers shownMembers(String target) {
    return new ShownMembers(states.targetState(target), pagesByMember(target));
  }

  private Map<String, List<Integer>> pagesByMember(String target) {
    var pages = new HashMap<String, List<Integer>>();
    for (var page : states.members(target)) {
      for (var key : page.getMembers()) {
        pages.merge(key, List.of(page.getPage()), ResourceVisibility::joined);
      }
    }
    return pages;
  }

  private static List<Integer> joined(List<Integer> first, List<Integer> second) {
    return first.contains(second.getFirst()) ? first : Stream.concat(first.stream(), second.stream()).toList();
  }

  /** Whether any target shows the resource. */
  boolean isShown(DetectionMemory memory, String key) {
    return !eachOf(memory, key, target -> showing(target, key) == null);
  }

  /** When a resource that no target shows stops being visible: after the longest time of those that showed it. */
  Instant notVisibleAt(DetectionMemory memory, String key, Instant lastObservedAt) {
    var longest = new Object() {
      Duration time = SHORTEST;
    };
    eachOf(memory, key, target -> {
      var time = staleAfter(target);
      longest.time = time.compareTo(longest.time) > 0 ? time : longest.time;
      return true;
    });
    return lastObservedAt.plus(longest.time);
  }

  /**
   * When a resource was last observed, by what is known of its targets.
   *
   * @param stateObservedAt time of its state
   */
  Instant lastObservedAt(DetectionMemory memory, String key, Instant stateObservedAt) {
    var remembered = memory.values().getLastObservedAt();
    var last = new Object() {
      Instant time = remembered != null ? remembered : stateObservedAt;
    };
    eachOf(memory, key, target -> {
      var shown = lastShownBy(target, key);
      last.time = shown != null && shown.isAfter(last.time) ? shown : last.time;
      return true;
    });
    return last.time;
  }

  /**
   * Visits the targets that showed a resource: those remembered, and where there may be more, those whose members have it.
   * Answers false where the visitor did, which ends the visit.
   */
  private boolean eachOf(DetectionMemory memory, String key, Predicate<String> visitor) {
    if (!memory.targets().stream().allMatch(visitor)) {
      return false;
    }
    var all = new boolean[] {true};
    if (memory.isFull()) {
      states.visitTargetsWithMember(key, target -> all[0] = visitor.test(target));
    }
    return all[0];
  }

  /** The remembered target that another may replace, so that the longest time without being shown stays known. */
  @Nullable
  String replaceable(DetectionMemory memory, String key, String by) {
    var gone = memory.replaceable().stream()
        .filter(target -> showing(target, key) == null)
        .sorted(Comparator.comparing(this::staleAfter))
        .toList();
    return gone.size() > 1 || (gone.size() == 1 && staleAfter(gone.get(0)).compareTo(staleAfter(by)) <= 0)
        ? gone.get(0)
        : null;
  }

  private Duration staleAfter(String target) {
    var state = state(target);
    return state == null ? Duration.ZERO : staleAfter(state);
  }

  /** Keys of the resources that a target shows, each with the name of its kind. */
  Map<String, String> shownBy(TargetState target) {
    var operation = Operation.of(target.getOperation());
    var subject = Objects.requireNonNullElse(ResourceKind.subjectOf(operation), ResourceKind.listedBy(operation));
    var listed = ResourceKind.listedBy(operation);
    var shown = new LinkedHashMap<String, String>();
    for (var page : states.members(target.getTarget())) {
      for (var key : page.getMembers()) {
        var isSubject = page.getPage() == 1 && key.equals(page.getMembers().get(0));
        var kind = isSubject ? subject : listed;
        shown.put(key, (page.getPage() == 0 ? ResourceKind.TOKEN : kind).resource());
      }
    }
    return shown;
  }

  /** Whether a target was not observed for so long that it shows nothing any more. */
  static boolean isStale(TargetState state, Instant now) {
    return !staleAt(state).isAfter(now);
  }

  static Instant staleAt(TargetState state) {
    return state.getObservedAt().plus(staleAfter(state));
  }

  private static Duration staleAfter(TargetState state) {
    var before = state.getPreviousObservedAt();
    var gap = before == null ? Duration.ZERO : Duration.between(before, state.getObservedAt());
    var gaps = gap.multipliedBy(GAPS);
    return gaps.compareTo(SHORTEST) < 0 ? SHORTEST : gaps;
  }
}
