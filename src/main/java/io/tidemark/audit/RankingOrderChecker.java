package io.tidemark.audit;

import io.tidemark.event.Entered;
import io.tidemark.event.Exited;
import io.tidemark.event.Moved;
import io.tidemark.event.RankingOrderChange;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One change of a list's order, held against the order before. */
record RankingOrderChecker(AuditReport report, AuditedChange change) {

  /** Whether the change names the order as changed. */
  boolean fold(FoldedResource fold, int place, RankingOrderChange said) {
    var before = fold.order;
    var after = before == null ? said.getEntries() : after(before, said);
    if (before != null && after != null) {
      ranks(before, after, said);
      same("order.size", after.size(), said.getSize());
      same("order.entries", change.isKeyFrame() ? after : null, said.getEntries());
    }
    fold.order = after;
    fold.target = change.origin().getTarget();
    if (after != null) {
      fold.set(place, ValueHash.of(after), change.row().offset());
    }
    return isNews(said);
  }

  /** Takes out what left and moved, puts what entered and moved at its rank; the others keep their order. */
  static List<String> after(List<String> before, RankingOrderChange said) {
    var order = new ArrayList<>(before);
    said.getExited().forEach(each -> order.remove(each.getPool()));
    said.getMoved().forEach(each -> order.remove(each.getPool()));
    var placed = new TreeMap<Integer, String>();
    said.getEntered().forEach(each -> placed.put(each.getRank(), each.getPool()));
    said.getMoved().forEach(each -> placed.put(each.getRank(), each.getPool()));
    placed.forEach((rank, pool) -> order.add(Math.clamp(rank - 1L, 0, order.size()), pool));
    return order;
  }

  private void ranks(List<String> before, List<String> after, RankingOrderChange said) {
    for (Entered each : said.getEntered()) {
      rank("order.entered", each.getPool(), after, each.getRank());
      rank("order.entered", each.getPool(), before, 0);
    }
    for (Exited each : said.getExited()) {
      rank("order.exited", each.getPool(), before, each.getRankBefore());
    }
    for (Moved each : said.getMoved()) {
      rank("order.moved", each.getPool(), before, each.getRankBefore());
      rank("order.moved", each.getPool(), after, each.getRank());
    }
  }

  private void rank(String where, String pool, List<String> order, int said) {
    same(where + ", rank of " + pool, order.indexOf(pool) + 1, said);
  }

  /** A list seen for the first time is news even where it is empty. */
  private static boolean isNews(RankingOrderChange said) {
    return said.getBeforeObservedAt() == null
        || !said.getEntered().isEmpty()
        || !said.getExited().isEmpty()
        || !said.getMoved().isEmpty();
  }

  private void same(String where, @Nullable Object expected, @Nullable Object found) {
    if (expected == null ? found != null : !expected.equals(found)) {
      report.add(Law.RANKINGS, change.row().position(), where, expected, found);
    }
  }
}
