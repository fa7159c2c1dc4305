package io.tidemark.capture.source;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.market.Snapshot;
import java.util.List;

/**
 * A listener that receives each snapshot after its changes were appended to the ledger, and before they are
 * committed. Records that the listener appends are committed in the same transaction. Called by the ledger's thread.
 */
@FunctionalInterface
interface DetectionListener {

  /**
   * Called after a snapshot was appended.
   *
   * @param outcome the changes and states that the ledger appended
   */
  void detected(Snapshot snapshot, ChangeSet outcome);

  /** Returns a listener that calls the given listeners in the given order. */
  static DetectionListener inOrder(DetectionListener... listeners) {
    var all = List.of(listeners);
    return (snapshot, outcome) -> all.forEach(each -> each.detected(snapshot, outcome));
  }
}
