package io.tidemark.audit;

import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.Moved;
import io.tidemark.event.RankingOrderChange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Checks one change of a ranking against the order before it. */
record RankingOrderChecker(AuditReport report, AuditedChange change) {

  /** Folds the change; returns whether the order changed. */
  boolean fold(FoldedResource fold, int index, RankingOrderChange orderChange) {
    var before = fold.order;
    var after = before == null ? orderChange.getEntries() : after(before, orderChange);
    if (before != null && after != null) {
      checkRanks(before, after, orderChange);
      check("order.size", after.size(), orderChange.getSize());
      check("order.entries", change.isKeyFrame() ? after : null, orderChange.getEntries());
    }
    fold.order = after;
    fold.target = change.origin().getTarget();
    if (after != null) {
      fold.set(index, ValueHash.of(after), change.record().offset());
    }
    return hasChanged(orderChange);
  }

  /** Removes pools that exited or moved, inserts those that entered or moved at their rank; others keep their order. */
  static List<String> after(List<String> before, RankingOrderChange orderChange) {
    var order = new ArrayList<>(before);
    orderChange.getExited().forEach(each -> order.remove(each.getPool()));
    orderChange.getMoved().forEach(each -> order.remove(each.getPool()));
    var placed = new TreeMap<Integer, String>();
    orderChange.getEntered().forEach(each -> placed.put(each.getRank(), each.getPool()));
    orderChange.getMoved().forEach(each -> placed.put(each.getRank(), each.getPool()));
    placed.forEach((rank, pool) -> order.add(Math.clamp(rank - 1L, 0, order.size()), pool));
    return order;
  }

  private void checkRanks(List<String> before, List<String> after, RankingOrderChange orderChange) {
    for (Entered each : orderChange.getEntered()) {
      checkRank("order.entered", each.getPool(), after, each.getRank());
      checkRank("order.entered", each.getPool(), before, 0);
    }
    for (Exited each : orderChange.getExited()) {
      checkRank("order.exited", each.getPool(), before, each.getRankBefore());
    }
    for (Moved each : orderChange.getMoved()) {
      checkRank("order.moved", each.getPool(), before, each.getRankBefore());
      checkRank("order.moved", each.getPool(), after, each.getRank());
    }
  }

  private void checkRank(String where, String pool, List<String> order, int found) {
    check(where + ", rank of " + pool, order.indexOf(pool) + 1, found);
  }

  /** The first observation of a ranking is a change even where it is empty. */
  private static boolean hasChanged(RankingOrderChange orderChange) {
    return orderChange.getBeforeObservedAt() == null
        || !orderChange.getEntered().isEmpty()
        || !orderChange.getExited().isEmpty()
        || !orderChange.getMoved().isEmpty();
  }

  private void check(String where, @Nullable Object expected, @Nullable Object found) {
    if (expected == null ? found != null : !expected.equals(found)) {
      report.add(Law.RANKINGS, change.record().position(), where, expected, found);
    }
  }
}
