package io.tidemark.source;

import io.tidemark.change.ChangeSet;
import io.tidemark.market.Snapshot;

/** A sweep and what it came to, as committed. */
public record CommittedSnapshot(Snapshot snapshot, ChangeSet outcome) {

  public String operation() {
    return snapshot.target().query().operation().wire();
  }

  public String target() {
    return snapshot.target().name();
  }
}
