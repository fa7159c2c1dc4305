package io.tidemark.ledger;

import io.tidemark.event.Origin;
import io.tidemark.event.TargetState;
import java.time.Instant;

/** The look at a target that a record stands for, as a dead letter names it. */
record Provenance(String source, String operation, String target, Instant at) {

  static Provenance of(TargetState look) {
    return new Provenance(look.getSource(), look.getOperation(), look.getTarget(), look.getObservedAt());
  }

  static Provenance of(Origin origin) {
    return new Provenance(origin.getSource(), origin.getOperation(), origin.getTarget(), origin.getObservedAt());
  }
}
