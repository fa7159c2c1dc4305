package io.tidemark.tape;

import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;

/**
 * One committed sweep of a target, with what its bodies show.
 *
 * @param committedAt timestamp of its record: all records of its transaction have the same
 */
record Look(Instant committedAt, TargetState state, List<Page> pages) {
  String target() {
    return state.getTarget();
  }

  long sweep() {
    return state.getSweep();
  }

  boolean first() {
    return state.getSweep() == 1;
  }

  /** Nothing of it was believed, because it is older than the look before; its bodies are not named. */
  boolean disbelieved() {
    return !state.getChanged()
        && state.getRefusals().stream()
            .anyMatch(each -> each.getReason().equals("older") && each.getResource().equals(state.getOperation()));
  }

  String name() {
    return target() + "@" + sweep();
  }
}
