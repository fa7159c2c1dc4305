package io.tidemark.capture.source;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.poll.RemainingBudget;
import io.tidemark.capture.poll.Schedule.DueTarget;
import io.tidemark.capture.poll.WatchList.WatchedTarget;
import io.tidemark.event.TargetState;
import io.tidemark.market.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A listener for the actions of a source's sessions. It is called on several threads, possibly at the same time. Its
 * methods must return quickly.
 */
public interface SourceListener extends LedgerListener {

  /** A committed snapshot and the changes that it made. */
  record CommittedSnapshot(Snapshot snapshot, ChangeSet outcome) {

    /** Returns the operation of the snapshot's target, by its name on the wire. */
    public String operation() {
      return snapshot.target().query().operation().wire();
    }

    /**
     * Returns whether nothing changed and the snapshot, or an observation in it, was rejected as older than what was
     * known.
     */
    public boolean isRejected() {
      var state = outcome.targetState();
      return !state.getChanged() && state.getRejections().stream().anyMatch(each -> each.getReason().equals("older"));
    }

    /** Returns the name of the snapshot's target. */
    public String target() {
      return snapshot.target().name();
    }
  }

  /**
   * Called when a session begins to poll, and again when its targets change. {@code targets} are all polled targets.
   *
   * @param known returns the committed state of the target with a given name, or null if the target has no state
   * @param staleAt returns the time at which a target becomes stale if it is no longer polled
   * @param clockDrift supplies how far this machine's clock is ahead of the service's clock; null while that is not
   *     known
   */
  void pollingStarted(
      List<WatchedTarget> targets,
      Function<String, @Nullable TargetState> known,
      Function<TargetState, Instant> staleAt,
      Supplier<RemainingBudget> budget,
      Supplier<@Nullable Duration> clockDrift);

  /** Called when the schedule has chosen a target, which is polled now. */
  void pollChosen(DueTarget due);

  /** Called when this instance has released, lost or given up the source; not between two sessions. */
  void pollingStopped();

  /** Called after snapshots were committed together. */
  void snapshotsCommitted(List<CommittedSnapshot> snapshots);

  /**
   * Called at each tick, after the updates that were due without a snapshot were committed. The list may be empty.
   */
  void updatesCommitted(List<ResourceUpdate> updates);

  /**
   * Called after each tick.
   *
   * @param ahead how far the time of the records is ahead of this machine's clock; zero if it is not ahead
   */
  void ticked(Duration ahead);

  /** Called after a failure ended a session. */
  void sessionFailed(Throwable failure);
}
