package io.tidemark.ledger;

import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
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
    var look = Provenance.of(outcome.target());
    var letters = new ArrayList<>(outcome.deadLetters());
    var entries = accepted(outcome.entries(), entry -> accept(entry, look, letters));
    var listings = accepted(outcome.listings(), listing -> accept(listing, look, letters));
    var members = accepted(outcome.members(), page -> accept(List.of(records.members(page)), look, letters));
    accept(List.of(records.target(outcome.target())), look, letters);
    letters.forEach(this::accept);
    return new Outcome(outcome.target(), members, entries, listings, letters);
  }

  /** Takes what no sweep brought; false where it is left out. */
  boolean take(Entry entry, Provenance look) {
    var letters = new ArrayList<DeadLetter>();
    var accepted = accept(entry, look, letters);
    letters.forEach(this::accept);
    return accepted;
  }

  void take(Watch word) {
    add(records.word(word));
  }

  private static <T> List<T> accepted(List<T> all, Predicate<T> accept) {
    return all.stream().filter(accept).toList();
  }

  private boolean accept(Entry entry, Provenance look, List<DeadLetter> letters) {
    if (leftOut.has(entry)) {
      return false;
    }
    var accepted = accept(drafts(leftOut.reachable(entry)), look, letters);
    if (!accepted) {
      leftOut.add(entry);
    }
    return accepted;
  }

  /** Listings of a ranking that was left out go with it: they name its revision. */
  private boolean accept(PoolListing listing, Provenance look, List<DeadLetter> letters) {
    return !leftOut.hasListOf(listing) && accept(List.of(records.listing(listing)), look, letters);
  }

  private List<Draft> drafts(Entry entry) {
    var known = entry.state() == null ? store.find(entry.resource(), entry.key()) : null;
    var state = records.state(entry, known);
    return entry.change() == null ? List.of(state) : List.of(records.change(entry, entry.change()), state);
  }

  /** All of them or none. */
  private boolean accept(List<Draft> together, Provenance look, List<DeadLetter> letters) {
    for (var draft : together) {
      if (draft.size() > largest) {
        letters.add(DeadLetters.tooLarge(look, draft, largest));
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
