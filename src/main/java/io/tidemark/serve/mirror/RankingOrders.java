package io.tidemark.serve.mirror;

import io.tidemark.event.Pool;
import io.tidemark.event.RankingState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The orders of rankings, which are lists of pools. A ledger writes an order and its pools in one transaction, but to
 * several partitions. An order therefore becomes visible only when every pool has reached the revision that the order
 * lists for the pool. Until then, the previous order stays visible. One thread writes; any thread reads.
 *
 * <p>The state of a pool may never arrive, because the pool was evicted. An order that waits for such a pool becomes
 * visible once everything that was committed up to a second after the receipt of the order has been read.
 */
final class RankingOrders {
  private final EncodedStates<Pool> pools;
  private final Map<String, List<String>> visible = new ConcurrentHashMap<>();
  private final Map<String, PendingOrder> pending = new ConcurrentHashMap<>();

  /** Ids of the rankings that wait for a pool, by the key of the pool. */
  private final Map<String, Set<String>> waiting = new HashMap<>();

  /**
   * An order that is not visible yet.
   *
   * @param missing revisions that pools have not reached yet, by the key of the pool
   * @param writtenAt timestamp of the order's record, in milliseconds since 1970
   * @param receivedAt time of a monotonic clock, in nanoseconds, at which the order was received
   */
  private record PendingOrder(List<String> entries, Map<String, Long> missing, long writtenAt, long receivedAt) {}

  RankingOrders(EncodedStates<Pool> pools) {
    this.pools = pools;
  }

  /** Returns the ids of the pools of a list in the visible order, or null if the list has no visible order. */
  @Nullable
  List<String> find(String ranking) {
    return visible.get(ranking);
  }

  /** Returns whether a newer order of the list is known, which is not visible yet. */
  boolean isPending(String ranking) {
    return pending.containsKey(ranking);
  }

  /** Returns whether each known list has a visible order, even if a newer order is not visible yet. */
  boolean allHaveOrders() {
    return visible.keySet().containsAll(pending.keySet());
  }

  void put(String ranking, RankingState state, long writtenAt, long receivedAt) {
    var order = state.getKnown().getOrder();
    if (order == null) {
      return;
    }
    forget(ranking);
    var entries = order.getEntries().stream().map(String::intern).toList();
    var missing = new HashMap<String, Long>();
    for (var i = 0; i < entries.size(); i++) {
      var pool = entries.get(i);
      long revision = i < order.getRevisions().size() ? order.getRevisions().get(i) : 0;
      if (revision > 0 && !pools.hasReached(pool, revision, writtenAt)) {
        missing.put(pool, revision);
      }
    }
    if (missing.isEmpty()) {
      visible.put(ranking, entries);
      return;
    }
    missing.keySet().forEach(pool -> waiting.computeIfAbsent(pool, any -> new HashSet<>()).add(ranking));
    pending.put(ranking, new PendingOrder(entries, missing, writtenAt, receivedAt));
  }

  void remove(String ranking) {
    forget(ranking);
    visible.remove(ranking);
  }

  /**
   * Notes that the state of a pool was written or removed, and shows the orders that waited only for this.
   *
   * @param ended whether the state of the pool was removed, so that no order has to wait for the pool
   */
  void poolWritten(String pool, boolean ended) {
    var rankings = waiting.get(pool);
    if (rankings == null) {
      return;
    }
    for (var ranking : List.copyOf(rankings)) {
      var order = pending.get(ranking);
      var revision = order == null ? null : order.missing().get(pool);
      if (order == null || revision == null) {
        rankings.remove(ranking);
      } else if (ended || pools.hasReached(pool, revision, order.writtenAt())) {
        rankings.remove(ranking);
        order.missing().remove(pool);
        if (order.missing().isEmpty()) {
          visible.put(ranking, order.entries());
          pending.remove(ranking);
        }
      }
    }
    if (rankings.isEmpty()) {
      waiting.remove(pool);
    }
  }

  /**
   * Shows the orders that were received before the given time of the monotonic clock, in nanoseconds. The states for
   * which these orders wait will not arrive, because everything that was committed before that time has been read.
   */
  void releaseReceivedBefore(long time) {
    pending.forEach((ranking, order) -> {
      if (order.receivedAt() - time < 0) {
        visible.put(ranking, order.entries());
        forget(ranking);
      }
    });
  }

  private void forget(String ranking) {
    var order = pending.remove(ranking);
    if (order == null) {
      return;
    }
    for (var pool : order.missing().keySet()) {
      var rankings = waiting.get(pool);
      if (rankings != null && rankings.remove(ranking) && rankings.isEmpty()) {
        waiting.remove(pool);
      }
    }
  }
}
