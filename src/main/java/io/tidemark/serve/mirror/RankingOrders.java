package io.tidemark.serve.mirror;

import io.tidemark.event.Pool;
import io.tidemark.event.RankingState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The orders of lists of pools. A ledger writes an order and the pools in it in one transaction, but they are in several
 * partitions: an order becomes visible when every pool has the revision that it names, and the one before stays until
 * then. One thread writes; any thread reads.
 */
final class RankingOrders {
  private final EncodedStates<Pool> pools;
  private final Map<String, List<String>> visible = new ConcurrentHashMap<>();
  private final Map<String, PendingOrder> pending = new ConcurrentHashMap<>();

  /** Ids of rankings by the pool that they wait for. */
  private final Map<String, Set<String>> waiting = new HashMap<>();

  /**
   * An order that is not visible yet.
   *
   * @param missing revisions of the pools that have not reached them
   * @param writtenAt timestamp of its record
   * @param receivedAt on a monotonic clock, in nanoseconds
   */
  private record PendingOrder(List<String> entries, Map<String, Long> missing, long writtenAt, long receivedAt) {}

  RankingOrders(EncodedStates<Pool> pools) {
    this.pools = pools;
  }

  /** Ids of the pools in order; null where the list is not known. */
  @Nullable
  List<String> find(String ranking) {
    return visible.get(ranking);
  }

  /** Whether a newer order than the visible one is known. */
  boolean isPending(String ranking) {
    return pending.containsKey(ranking);
  }

  /** Whether each list that is known has an order that is visible, if not the newest. */
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

  /** Shows the orders that waited for the state of this pool, or for its end. */
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
          show(ranking, order);
        }
      }
    }
    if (rankings.isEmpty()) {
      waiting.remove(pool);
    }
  }

  /**
   * Shows the orders that were received before a time. What they wait for does not come any more: everything that was
   * committed by then is read.
   */
  void releaseReceivedBefore(long time) {
    var due = new ArrayList<String>();
    pending.forEach((ranking, order) -> {
      if (order.receivedAt() - time < 0) {
        due.add(ranking);
      }
    });
    due.forEach(ranking -> {
      var order = pending.get(ranking);
      forget(ranking);
      if (order != null) {
        visible.put(ranking, order.entries());
      }
    });
  }

  private void show(String ranking, PendingOrder order) {
    visible.put(ranking, order.entries());
    pending.remove(ranking);
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
