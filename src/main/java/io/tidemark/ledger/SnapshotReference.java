package io.tidemark.ledger;

import io.tidemark.event.Origin;
import io.tidemark.event.TargetState;
import java.time.Instant;

/** The look at a target that a record stands for, as a dead letter names it. */
record SnapshotReference(String source, String operation, String target, Instant at) {

  static SnapshotReference of(TargetState snapshot) {
    return new SnapshotReference(snapshot.getSource(), snapshot.getOperation(), snapshot.getTarget(),
        snapshot.getObservedAt());
  }

  static SnapshotReference of(Origin origin) {
    return new SnapshotReference(origin.getSource(), origin.getOperation(), origin.getTarget(), origin.getObservedAt());
  }
}
