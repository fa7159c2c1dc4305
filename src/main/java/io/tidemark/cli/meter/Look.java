package io.tidemark.cli.meter;

import io.tidemark.change.Outcome;
import io.tidemark.market.Sweep;

/** A sweep and what it came to, as committed. */
public record Look(Sweep sweep, Outcome outcome) {

  String operation() {
    return sweep.target().query().operation().wire();
  }

  String target() {
    return sweep.target().name();
  }
}
