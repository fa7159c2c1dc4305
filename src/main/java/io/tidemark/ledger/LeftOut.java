package io.tidemark.ledger;

import io.tidemark.change.Entry;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import java.util.HashSet;
import java.util.Set;

/** The resources of which a transaction says nothing, because Kafka would not take it. */
final class LeftOut {

  private final Store store;
  private final Set<Subject> subjects = new HashSet<>();

  private record Subject(String resource, String key) {}

  LeftOut(Store store) {
    this.store = store;
  }

  void add(Entry entry) {
    subjects.add(new Subject(entry.resource(), entry.key()));
  }

  boolean has(Entry entry) {
    return subjects.contains(new Subject(entry.resource(), entry.key()));
  }

  /** Whether the ranking whose change a listing belongs to was left out. */
  boolean hasListOf(PoolListing listing) {
    return subjects.contains(new Subject("ranking", listing.getList()));
  }

  void clear() {
    subjects.clear();
  }

  /** A ranking names the revisions its members reach with it: of a pool that was left out, the one it has. */
  Entry reachable(Entry entry) {
    if (subjects.isEmpty() || !(entry.state() instanceof RankingState ranking)) {
      return entry;
    }
    var state = RankingState.newBuilder(ranking).build();
    var order = state.getKnown().getOrder();
    if (order != null) {
      reach(order);
    }
    return new Entry(entry.resource(), entry.key(), entry.change(), state);
  }

  private void reach(RankingOrder order) {
    var revisions = order.getRevisions();
    for (int i = 0; i < revisions.size(); i++) {
      var pool = order.getEntries().get(i);
      if (subjects.contains(new Subject("pool", pool))) {
        revisions.set(i, store.find("pool", pool) instanceof PoolState known ? known.getRevision() : 0L);
      }
    }
  }
}
