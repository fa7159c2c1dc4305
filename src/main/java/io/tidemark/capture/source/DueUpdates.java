package io.tidemark.capture.source;

import static java.util.Objects.requireNonNullElse;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.Deadlines;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.event.ChangeView;
import io.tidemark.event.Origin;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Appends the updates that become due by time alone, without a snapshot, such as the release of withheld values. */
final class DueUpdates implements DetectionListener {

  private final Deadlines deadlines;
  private final Ledger ledger;

  DueUpdates(Deadlines deadlines, Ledger ledger) {
    this.deadlines = deadlines;
    this.ledger = ledger;
  }

  @Override
  public void detected(Snapshot snapshot, ChangeSet outcome) {
    deadlines.note(outcome, Instant.now());
  }

  /**
   * Appends the updates that are due by now, and the tombstones of targets to forget. Also reads some of the restored
   * states that {@link Deadlines#readNext} has not read yet. Returns the appended updates.
   */
  List<ResourceUpdate> append(Instant now) {
    var appended = new ArrayList<ResourceUpdate>();
    deadlines.readNext(now);
    for (var update = deadlines.poll(now); update != null; update = deadlines.poll(now)) {
      if (ledger.append(update, origin(update))) {
        appended.add(update);
      }
      deadlines.note(update, now);
    }
    deadlines.pollUnwatched(now).forEach(ledger::forget);
    return appended;
  }

  private static Origin origin(ResourceUpdate update) {
    var change = update.change();
    return change == null ? new Origin() : requireNonNullElse(ChangeView.of(change).origin(change), new Origin());
  }
}
