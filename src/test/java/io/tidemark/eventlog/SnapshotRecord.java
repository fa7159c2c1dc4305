package io.tidemark.eventlog;

import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One committed sweep of a target, with what its bodies show.
 *
 * @param committedAt timestamp of its record: all records of its transaction have the same
 * @param seenBefore when the target was seen before: whole, or in part where it never was whole; null where it never was
 */
record SnapshotRecord(Instant committedAt, TargetState state, List<ParsedBody> pages, @Nullable Instant seenBefore) {
  String target() {
    return state.getTarget();
  }

  long snapshot() {
    return state.getSnapshot();
  }

  /** When it was made. */
  Instant at() {
    return Objects.requireNonNull(state.getAttemptedAt());
  }

  /** Nothing of it was believed, because it is older than the look before; its bodies are not named. */
  boolean disbelieved() {
    return !state.getChanged()
        && state.getRejections().stream()
            .anyMatch(each -> each.getReason().equals("older") && each.getResource().equals(state.getOperation()));
  }

  /** Whether it shows all that the target asks for. */
  boolean whole() {
    return !disbelieved() && state.getComplete() && !pages.isEmpty();
  }

  /** Whether it lists those platforms alone that support NFTs: which there are, and which are gone, it does not say. */
  boolean isNft() {
    return !pages.isEmpty() && pages.get(0).asked.parameter("filter", "").equals("nft");
  }

  String name() {
    return target() + "@" + snapshot();
  }
}
