package io.tidemark.ledger;

import io.tidemark.change.ChangeSet;
import io.tidemark.change.ResourceUpdate;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * What waits for the next transaction, and is known already.
 *
 * <p>Sizes are checked here, before anything is written or known. Of a resource whose change or state Kafka would not
 * take, neither is written and its old state stays, so that its next change has the revision that was not used. What
 * the same transaction says of it afterwards may build on what was left out, and is left out too.
 */
final class TransactionBuffer {

  private final LedgerRecords records;
  private final ResourceStateStore store;
  private final int largest;
  private final List<PendingRecord> pending = new ArrayList<>();
  private final OversizedResources oversized;

  TransactionBuffer(LedgerRecords records, ResourceStateStore store, int largest) {
    this.records = records;
    this.store = store;
    this.largest = largest;
    this.oversized = new OversizedResources(store);
  }

  /** In the order of writing. */
  List<PendingRecord> pending() {
    return pending;
  }

  /** To be called when what waited is committed. */
  void clear() {
    pending.clear();
    oversized.clear();
  }

  /** Returns the outcome without what was left out, and with the dead letters that say so. */
  ChangeSet append(ChangeSet outcome) {
    var snapshot = SnapshotReference.of(outcome.targetState());
    var letters = new ArrayList<>(outcome.deadLetters());
    var entries = accepted(outcome.updates(), entry -> accept(entry, snapshot, letters));
    var listings = accepted(outcome.listings(), listing -> accept(listing, snapshot, letters));
    var members = accepted(outcome.members(), page -> accept(List.of(records.members(page)), snapshot, letters));
    accept(List.of(records.target(outcome.targetState())), snapshot, letters);
    letters.forEach(this::accept);
    return new ChangeSet(outcome.targetState(), members, entries, listings, letters);
  }

  /** Takes what no sweep brought; false where it is left out. */
  boolean append(ResourceUpdate entry, SnapshotReference snapshot) {
    var letters = new ArrayList<DeadLetter>();
    var accepted = accept(entry, snapshot, letters);
    letters.forEach(this::accept);
    return accepted;
  }

  void append(Watch word) {
    add(records.command(word));
  }

  private static <T> List<T> accepted(List<T> all, Predicate<T> accept) {
    return all.stream().filter(accept).toList();
  }

  private boolean accept(ResourceUpdate entry, SnapshotReference snapshot, List<DeadLetter> letters) {
    if (oversized.contains(entry)) {
      return false;
    }
    var accepted = accept(drafts(oversized.withReachableRevisions(entry)), snapshot, letters);
    if (!accepted) {
      oversized.add(entry);
    }
    return accepted;
  }

  /** Listings of a ranking that was left out go with it: they name its revision. */
  private boolean accept(PoolListing listing, SnapshotReference snapshot, List<DeadLetter> letters) {
    return !oversized.containsRankingOf(listing) && accept(List.of(records.listing(listing)), snapshot, letters);
  }

  private List<PendingRecord> drafts(ResourceUpdate entry) {
    var known = entry.state() == null ? store.find(entry.resource(), entry.key()) : null;
    var state = records.state(entry, known);
    return entry.change() == null ? List.of(state) : List.of(records.change(entry, entry.change()), state);
  }

  /** All of them or none. */
  private boolean accept(List<PendingRecord> together, SnapshotReference snapshot, List<DeadLetter> letters) {
    for (var draft : together) {
      if (draft.size() > largest) {
        letters.add(OversizedRecords.tooLarge(snapshot, draft, largest));
        return false;
      }
    }
    together.forEach(this::add);
    return true;
  }

  private void accept(DeadLetter letter) {
    var draft = records.deadLetter(letter);
    add(draft.size() > largest ? records.deadLetter(OversizedRecords.withoutBody(letter)) : draft);
  }

  private void add(PendingRecord draft) {
    pending.add(draft);
    store.putEncoded(draft.topic(), draft.key(), draft.value());
  }
}
