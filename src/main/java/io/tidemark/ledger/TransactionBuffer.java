package io.tidemark.ledger;

import io.tidemark.change.ChangeSet;
import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import io.tidemark.event.Watch;
import io.tidemark.ledger.DeadlineQueue.ResourceName;
import io.tidemark.ledger.LedgerRecords.PendingRecord;
import io.tidemark.ledger.OversizedRecords.SnapshotReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The records of the next transaction. The state store knows them already.
 *
 * <p>Sizes are checked here, before anything is written or known. Where the change or the state of a resource is too large
 * for Kafka, neither is written and the old state stays, so that the next change has the unused revision. Later updates of
 * that resource in the same transaction may build on it and are dropped as well.
 */
final class TransactionBuffer {

  private final LedgerRecords records;
  private final ResourceStateStore store;
  private final int largest;
  private final List<PendingRecord> pending = new ArrayList<>();
  /** Resources with an update that was too large. */
  private final Set<ResourceName> oversized = new HashSet<>();

  TransactionBuffer(LedgerRecords records, ResourceStateStore store, int largest) {
    this.records = records;
    this.store = store;
    this.largest = largest;
  }

  /** The records, in the order of writing. */
  List<PendingRecord> pending() {
    return pending;
  }

  /** To be called when the records are committed. */
  void clear() {
    pending.clear();
    oversized.clear();
  }

  /** Appends the records of a snapshot. Returns the change set without what is too large, with its dead letters. */
  ChangeSet append(ChangeSet changes) {
    var snapshot = SnapshotReference.of(changes.targetState());
    var deadLetters = new ArrayList<>(changes.deadLetters());
    var updates = accepted(changes.updates(), update -> accept(update, snapshot, deadLetters));
    var listings = accepted(changes.listings(), listing -> accept(listing, snapshot, deadLetters));
    var members = accepted(changes.members(), page -> accept(List.of(records.members(page)), snapshot, deadLetters));
    accept(List.of(records.target(changes.targetState())), snapshot, deadLetters);
    deadLetters.forEach(this::add);
    return new ChangeSet(changes.targetState(), members, updates, listings, deadLetters);
  }

  /** Appends an update that no snapshot brought; false where it is too large. */
  boolean append(ResourceUpdate update, SnapshotReference snapshot) {
    var deadLetters = new ArrayList<DeadLetter>();
    var accepted = accept(update, snapshot, deadLetters);
    deadLetters.forEach(this::add);
    return accepted;
  }

  void append(Watch command) {
    add(records.command(command));
  }

  private static <T> List<T> accepted(List<T> all, Predicate<T> accept) {
    return all.stream().filter(accept).toList();
  }

  private boolean accept(ResourceUpdate update, SnapshotReference snapshot, List<DeadLetter> deadLetters) {
    var name = new ResourceName(update.resource(), update.key());
    if (oversized.contains(name)) {
      return false;
    }
    var accepted = accept(encoded(withReachableRevisions(update)), snapshot, deadLetters);
    if (!accepted) {
      oversized.add(name);
    }
    return accepted;
  }

  /** Drops the listings of a ranking that is too large: they name its revision. */
  private boolean accept(PoolListing listing, SnapshotReference snapshot, List<DeadLetter> deadLetters) {
    return !oversized.contains(new ResourceName("ranking", listing.getList()))
        && accept(List.of(records.listing(listing)), snapshot, deadLetters);
  }

  private List<PendingRecord> encoded(ResourceUpdate update) {
    var known = update.state() == null ? store.find(update.resource(), update.key()) : null;
    var state = records.state(update, known);
    return update.change() == null ? List.of(state) : List.of(records.change(update, update.change()), state);
  }

  /** Accepts all of them or none. */
  private boolean accept(List<PendingRecord> together, SnapshotReference snapshot, List<DeadLetter> deadLetters) {
    for (var record : together) {
      if (record.size() > largest) {
        deadLetters.add(OversizedRecords.deadLetter(snapshot, record, largest));
        return false;
      }
    }
    together.forEach(this::add);
    return true;
  }

  private void add(DeadLetter deadLetter) {
    var record = records.deadLetter(deadLetter);
    add(record.size() > largest ? records.deadLetter(OversizedRecords.withoutBody(deadLetter)) : record);
  }

  private void add(PendingRecord record) {
    pending.add(record);
    store.putEncoded(record.topic(), record.key(), record.value());
  }

  /** A ranking names the revisions that its members reach with it: of a pool that is too large, its old one. */
  private ResourceUpdate withReachableRevisions(ResourceUpdate update) {
    if (oversized.isEmpty() || !(update.state() instanceof RankingState ranking)) {
      return update;
    }
    var state = RankingState.newBuilder(ranking).build();
    var order = state.getKnown().getOrder();
    if (order != null) {
      lowerRevisions(order);
    }
    return new ResourceUpdate(update.resource(), update.key(), update.change(), state);
  }

  private void lowerRevisions(RankingOrder order) {
    var revisions = order.getRevisions();
    for (int i = 0; i < revisions.size(); i++) {
      var pool = order.getEntries().get(i);
      if (oversized.contains(new ResourceName("pool", pool))) {
        revisions.set(i, store.find("pool", pool) instanceof PoolState known ? known.getRevision() : 0L);
      }
    }
  }
}
