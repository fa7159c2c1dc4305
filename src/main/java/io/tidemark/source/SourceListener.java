package io.tidemark.source;

import io.tidemark.change.ChangeSet;
import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.TargetState;
import io.tidemark.ledger.LedgerListener;
import io.tidemark.market.Snapshot;
import io.tidemark.poll.RemainingBudget;
import io.tidemark.poll.Schedule.DueTarget;
import io.tidemark.poll.WatchList.WatchedTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Hears what the sessions of a source do, on their threads: what it does must be short. */
public interface SourceListener extends LedgerListener {

  /** A snapshot that is committed, and what it changed. */
  record CommittedSnapshot(Snapshot snapshot, ChangeSet outcome) {

    /** The operation of its target, by its name on the wire. */
    public String operation() {
      return snapshot.target().query().operation().wire();
    }

    /** The name of its target. */
    public String target() {
      return snapshot.target().name();
    }
  }

  /**
   * A session begins to poll.
   *
   * @param known the committed state of a target by its name
   * @param staleAt when a target that is not polled any more is stale
   * @param clockDrift how far this machine's clock is ahead of the service's; null while it is not known
   */
  void pollingStarted(
      List<WatchedTarget> targets,
      Function<String, @Nullable TargetState> known,
      Function<TargetState, Instant> staleAt,
      Supplier<RemainingBudget> budget,
      Supplier<@Nullable Duration> clockDrift);

  /** The schedule chose a target, which is polled now. */
  void pollChosen(DueTarget due);

  /** This instance does not poll the source any more. */
  void pollingStopped();

  /** Snapshots were committed together. */
  void snapshotsCommitted(List<CommittedSnapshot> snapshots);

  /** Updates that needed no snapshot were committed together. */
  void updatesCommitted(List<ResourceUpdate> updates);

  /** A failure ended a session. */
  void sessionFailed(Throwable failure);
}
