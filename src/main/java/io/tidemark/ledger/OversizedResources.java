package io.tidemark.ledger;

import io.tidemark.change.ResourceUpdate;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import java.util.HashSet;
import java.util.Set;

/** The resources of which a transaction says nothing, because Kafka would not take it. */
final class OversizedResources {

  private final ResourceStateStore store;
  private final Set<OversizedResource> resources = new HashSet<>();

  private record OversizedResource(String resource, String key) {}

  OversizedResources(ResourceStateStore store) {
    this.store = store;
  }

  void add(ResourceUpdate entry) {
    resources.add(new OversizedResource(entry.resource(), entry.key()));
  }

  boolean contains(ResourceUpdate entry) {
    return resources.contains(new OversizedResource(entry.resource(), entry.key()));
  }

  /** Whether the ranking whose change a listing belongs to was left out. */
  boolean containsRankingOf(PoolListing listing) {
    return resources.contains(new OversizedResource("ranking", listing.getList()));
  }

  void clear() {
    resources.clear();
  }

  /** A ranking names the revisions its members reach with it: of a pool that was left out, the one it has. */
  ResourceUpdate withReachableRevisions(ResourceUpdate entry) {
    if (resources.isEmpty() || !(entry.state() instanceof RankingState ranking)) {
      return entry;
    }
    var state = RankingState.newBuilder(ranking).build();
    var order = state.getKnown().getOrder();
    if (order != null) {
      lowerRevisions(order);
    }
    return new ResourceUpdate(entry.resource(), entry.key(), entry.change(), state);
  }

  private void lowerRevisions(RankingOrder order) {
    var revisions = order.getRevisions();
    for (int i = 0; i < revisions.size(); i++) {
      var pool = order.getEntries().get(i);
      if (resources.contains(new OversizedResource("pool", pool))) {
        revisions.set(i, store.find("pool", pool) instanceof PoolState known ? known.getRevision() : 0L);
      }
    }
  }
}
