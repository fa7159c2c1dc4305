package io.tidemark.change;

import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.Moved;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingOrderChange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** How one order of a list became another: the fewest moves that explain it. */
record ListDiff(List<String> before, List<String> after) {

  /**
   * The change of a ranking's order.
   *
   * @param about what is known of a pool that entered
   * @param reached whether the list reaches back to the last one seen
   * @param framed whether the whole list comes along
   */
  static RankingOrderChange of(
      @Nullable RankingOrder before,
      RankingOrder after,
      Function<String, PoolAbout> about,
      boolean reached,
      boolean framed,
      @Nullable Instant beforeObservedAt) {
    ListDiff lists = new ListDiff(before == null ? List.of() : before.getEntries(), after.getEntries());
    return RankingOrderChange.newBuilder()
        .setEntered(lists.entered().stream().map(pool -> lists.entered(pool, about)).toList())
        .setExited(lists.exited())
        .setMoved(lists.moved())
        .setSize(after.getEntries().size())
        .setContiguous(reached)
        .setEntries(framed ? after.getEntries() : null)
        .setBeforeObservedAt(beforeObservedAt)
        .build();
  }

  private Entered entered(String pool, Function<String, PoolAbout> about) {
    return new Entered(pool, after.indexOf(pool) + 1, about.apply(pool));
  }

  List<String> entered() {
    Set<String> old = new HashSet<>(before);
    return after.stream().filter(pool -> !old.contains(pool)).toList();
  }

  List<Exited> exited() {
    Set<String> now = new HashSet<>(after);
    List<Exited> left = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      if (!now.contains(before.get(i))) {
        left.add(new Exited(before.get(i), i + 1));
      }
    }
    return left;
  }

  /** Pools whose order relative to the others changed: all but a longest run that kept its order. */
  List<Moved> moved() {
    Map<String, Integer> rankBefore = new HashMap<>();
    before.forEach(pool -> rankBefore.put(pool, rankBefore.size() + 1));
    List<String> stayed = after.stream().filter(rankBefore::containsKey).toList();
    Set<String> kept = longestRising(stayed, rankBefore);
    List<Moved> moved = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      String pool = after.get(i);
      if (rankBefore.containsKey(pool) && !kept.contains(pool)) {
        moved.add(new Moved(pool, i + 1, rankBefore.get(pool)));
      }
    }
    return moved;
  }

  /** The longest rising subsequence by old rank; the lists are short, so the square of their length is cheap. */
  private static Set<String> longestRising(List<String> pools, Map<String, Integer> rankBefore) {
    int[] rank = pools.stream().mapToInt(pool -> rankBefore.getOrDefault(pool, 0)).toArray();
    int[] length = new int[rank.length];
    int[] previous = new int[rank.length];
    int end = -1;
    for (int i = 0; i < rank.length; i++) {
      previous[i] = bestBefore(i, rank, length);
      length[i] = previous[i] < 0 ? 1 : length[previous[i]] + 1;
      end = end < 0 || length[i] > length[end] ? i : end;
    }
    Set<String> kept = new HashSet<>();
    for (int i = end; i >= 0; i = previous[i]) {
      kept.add(pools.get(i));
    }
    return kept;
  }

  private static int bestBefore(int place, int[] rank, int[] length) {
    int best = -1;
    for (int j = 0; j < place; j++) {
      if (rank[j] < rank[place] && (best < 0 || length[j] > length[best])) {
        best = j;
      }
    }
    return best;
  }
}
