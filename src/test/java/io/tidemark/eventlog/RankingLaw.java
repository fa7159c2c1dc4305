package io.tidemark.eventlog;

import io.tidemark.event.Entered;
import io.tidemark.event.Moved;
import io.tidemark.event.RankingOrderChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The law that each complete snapshot of a list changes its ranking exactly as the list differs from the last. */
final class RankingLaw {
  private static final String LAW = "a ranking is the list";

  private final Consumer<Violation> violations;
  private final Map<String, List<String>> known = new HashMap<>();

  RankingLaw(Consumer<Violation> violations) {
    this.violations = violations;
  }

  /**
   * Adds a snapshot.
   *
   * @param changes changes of rankings that name this snapshot as their origin
   */
  void take(SnapshotRecord snapshot, List<RecordedChange> changes) {
    if (snapshot.disbelieved() || !snapshot.state().getComplete()
        || snapshot.pages().stream().anyMatch(each -> each.listed == null)
        || snapshot.pages().isEmpty()) {
      changes
          .forEach(each -> violations.accept(each.violation(LAW, "change", "none of this snapshot", snapshot.name())));
      return;
    }
    var list = new LinkedHashSet<String>();
    snapshot.pages().forEach(each -> list.addAll(Objects.requireNonNull(each.listed)));
    String key = RecordKeys.ranking(snapshot.pages().get(0).query);
    List<String> before = known.get(key);
    var after = new ArrayList<>(list);
    known.put(key, after);
    if (changes.isEmpty() && !after.equals(before)) {
      violations.accept(new Violation(LAW, "ranking", key, 0, snapshot.name(), after, "no change from " + before));
    }
    changes.forEach(each -> hold(each, key, before, after, snapshot));
  }

  private void hold(RecordedChange change, String key, @Nullable List<String> before, List<String> after,
      SnapshotRecord snapshot) {
    same(change, "key", key, change.key());
    same(change, "baseline", before == null, change.origin().getBaseline());
    if (!(change.part(ListOrders.ORDER) instanceof RankingOrderChange order)) {
      same(change, ListOrders.ORDER, after, "no change of it");
      return;
    }
    List<String> old = before == null ? List.of() : before;
    same(change, "fold", after, ListOrders.fold(old, order));
    same(change, "difference", !after.equals(before), !old.equals(after) || before == null);
    same(change, "size", after.size(), order.getSize());
    same(change, "complete", true, order.getComplete());
    same(change, "entries", change.origin().getKeyFrame() ? after : "none", entries(order));
    order.getEntered()
        .forEach((Entered each) -> same(change, "rank", after.indexOf(each.getPool()) + 1, each.getRank()));
    order.getExited()
        .forEach(each -> same(change, "rank_before", old.indexOf(each.getPool()) + 1, each.getRankBefore()));
    order.getMoved().forEach(each -> moved(change, each, old, after));
    same(change, "pools moved", ListOrders.fewestMoves(old, after), order.getMoved().size());
    reached(change, old, after, order, snapshot);
  }

  private void moved(RecordedChange change, Moved moved, List<String> before, List<String> after) {
    same(change, "rank", after.indexOf(moved.getPool()) + 1, moved.getRank());
    same(change, "rank_before", before.indexOf(moved.getPool()) + 1, moved.getRankBefore());
  }

  /** Checks contiguity: only a list of new pools that shares none with the one before may not be contiguous. */
  private void reached(
      RecordedChange change, List<String> before, List<String> after, RankingOrderChange order,
      SnapshotRecord snapshot) {
    same(change, "contiguous of the snapshot", snapshot.state().getContiguous(), order.getContiguous());
    if (!key(change).equals("new") || before.isEmpty() || before.stream().anyMatch(after::contains)) {
      same(change, "contiguous", true, order.getContiguous());
    }
  }

  private static String key(RecordedChange change) {
    return Json.text(change.part("kind"));
  }

  private static Object entries(RankingOrderChange order) {
    return order.getEntries() == null ? "none" : order.getEntries();
  }

  private void same(RecordedChange change, String where, Object expected, Object found) {
    if (!expected.equals(found)) {
      violations.accept(change.violation(LAW, where, expected, found));
    }
  }
}
