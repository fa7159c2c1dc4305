package io.tidemark.capture.change;

import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.Moved;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingOrderChange;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The difference between two lists, with as few moved pools as possible. */
record RankingDiff(List<String> before, List<String> after) {

  /**
   * @param about function that returns the known values of a pool that entered
   * @param keyFrame whether the change carries the whole list
   */
  static RankingOrderChange orderChange(@Nullable RankingOrder before, RankingOrder after,
      Function<String, PoolAbout> about, boolean contiguous, boolean keyFrame, @Nullable Instant beforeObservedAt) {
    var diff = new RankingDiff(before == null ? List.of() : before.getEntries(), after.getEntries());
    return RankingOrderChange.newBuilder()
        .setEntered(diff.entered().stream()
            .map(pool -> new Entered(pool, after.getEntries().indexOf(pool) + 1, about.apply(pool)))
            .toList())
        .setExited(diff.exited()).setMoved(diff.moved()).setSize(after.getEntries().size())
        .setContiguous(contiguous).setEntries(keyFrame ? after.getEntries() : null)
        .setBeforeObservedAt(beforeObservedAt).build();
  }

  List<String> entered() {
    var old = new HashSet<>(before);
    return after.stream().filter(pool -> !old.contains(pool)).toList();
  }

  List<Exited> exited() {
    var now = new HashSet<>(after);
    return IntStream.range(0, before.size())
        .filter(i -> !now.contains(before.get(i)))
        .mapToObj(i -> new Exited(before.get(i), i + 1))
        .toList();
  }

  /**
   * Returns the pools that moved: all pools that are in both lists, except a longest subsequence that kept its order.
   */
  List<Moved> moved() {
    var rankBefore = new HashMap<String, Integer>();
    before.forEach(pool -> rankBefore.put(pool, rankBefore.size() + 1));
    var stayed = after.stream().filter(rankBefore::containsKey).toList();
    var inOrder = longestRising(stayed, rankBefore);
    return IntStream.range(0, after.size())
        .filter(i -> rankBefore.containsKey(after.get(i)) && !inOrder.contains(after.get(i)))
        .mapToObj(i -> new Moved(after.get(i), i + 1, Objects.requireNonNull(rankBefore.get(after.get(i)))))
        .toList();
  }

  /**
   * Returns a longest subsequence of pools whose ranks before the change are rising. This takes quadratic time, which
   * is fast enough for the short lists.
   */
  private static Set<String> longestRising(List<String> pools, Map<String, Integer> rankBefore) {
    var rank = pools.stream().mapToInt(pool -> rankBefore.getOrDefault(pool, 0)).toArray();
    var length = new int[rank.length];
    var previous = new int[rank.length];
    var end = -1;
    for (var i = 0; i < rank.length; i++) {
      previous[i] = bestBefore(i, rank, length);
      length[i] = previous[i] < 0 ? 1 : length[previous[i]] + 1;
      end = end < 0 || length[i] > length[end] ? i : end;
    }
    var rising = new HashSet<String>();
    for (var i = end; i >= 0; i = previous[i]) {
      rising.add(pools.get(i));
    }
    return rising;
  }

  private static int bestBefore(int index, int[] rank, int[] length) {
    var best = -1;
    for (var j = 0; j < index; j++) {
      if (rank[j] < rank[index] && (best < 0 || length[j] > length[best])) {
        best = j;
      }
    }
    return best;
  }
}
