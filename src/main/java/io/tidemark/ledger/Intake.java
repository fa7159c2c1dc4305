package io.tidemark.ledger;

import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolListing;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.ArrayList;
import java.util.List;

/**
 * What waits for the next transaction, and is known already.
 *
 * <p>Sizes are checked here, before anything is written or known. Of a resource whose change or state Kafka would not
 * take, neither is written and its old state stays, so that its next change has the revision that was not used. What
 * the same transaction says of it afterwards may build on what was left out, and is left out too.
 */
final class Intake {

  private final Records records;
  private final Store store;
  private final int largest;
  private final List<Draft> waiting = new ArrayList<>();
  private final LeftOut leftOut;

  Intake(Records records, Store store, int largest) {
    this.records = records;
    this.store = store;
    this.largest = largest;
    this.leftOut = new LeftOut(store);
  }

  /** In the order of writing. */
  List<Draft> waiting() {
    return waiting;
  }

  /** To be called when what waited is committed. */
  void clear() {
    waiting.clear();
    leftOut.clear();
  }

  /** Returns the outcome without what was left out, and with the dead letters that say so. */
  Outcome take(Outcome outcome) {
    var letters = new ArrayList<>(outcome.deadLetters());
    var entries = entries(outcome, letters);
    var listings = listings(outcome, letters);
    var members = members(outcome, letters);
    accept(List.of(records.target(outcome.target())), outcome.target(), letters);
    letters.forEach(this::accept);
    return new Outcome(outcome.target(), members, entries, listings, letters);
  }

  private List<Entry> entries(Outcome outcome, List<DeadLetter> letters) {
    var accepted = new ArrayList<Entry>();
    for (var each : outcome.entries()) {
      var entry = leftOut.reachable(each);
      if (leftOut.has(entry)) {
        continue;
      }
      if (accept(drafts(entry), outcome.target(), letters)) {
        accepted.add(entry);
      } else {
        leftOut.add(entry);
      }
    }
    return accepted;
  }

  /** Those of a ranking that was left out go with it: they name its revision. */
  private List<PoolListing> listings(Outcome outcome, List<DeadLetter> letters) {
    var accepted = new ArrayList<PoolListing>();
    for (var listing : outcome.listings()) {
      if (!leftOut.hasListOf(listing)
          && accept(List.of(records.listing(listing)), outcome.target(), letters)) {
        accepted.add(listing);
      }
    }
    return accepted;
  }

  private List<TargetMembers> members(Outcome outcome, List<DeadLetter> letters) {
    var accepted = new ArrayList<TargetMembers>();
    for (var page : outcome.members()) {
      if (accept(List.of(records.members(page)), outcome.target(), letters)) {
        accepted.add(page);
      }
    }
    return accepted;
  }

  private List<Draft> drafts(Entry entry) {
    var known = entry.state() == null ? store.find(entry.resource(), entry.key()) : null;
    var state = records.state(entry, known);
    return entry.change() == null ? List.of(state) : List.of(records.change(entry, entry.change()), state);
  }

  /** All of them or none. */
  private boolean accept(List<Draft> together, TargetState target, List<DeadLetter> letters) {
    for (var draft : together) {
      if (draft.size() > largest) {
        letters.add(DeadLetters.tooLarge(target, draft, largest));
        return false;
      }
    }
    together.forEach(this::add);
    return true;
  }

  private void accept(DeadLetter letter) {
    var draft = records.letter(letter);
    add(draft.size() > largest ? records.letter(DeadLetters.withoutBody(letter)) : draft);
  }

  private void add(Draft draft) {
    waiting.add(draft);
    store.keep(draft.topic(), draft.key(), draft.value());
  }
}
