package io.tidemark.eventlog;

import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One committed snapshot of a target, with what its bodies show.
 *
 * @param committedAt timestamp of its record: all records of its transaction have the same
 * @param observedBefore when the target was observed before: whole, or in part where it never was whole; null where it never was
 */
record SnapshotRecord(Instant committedAt, TargetState state, List<ParsedBody> pages,
    @Nullable Instant observedBefore) {
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

  /** All of it was rejected, because it is older than the snapshot before; its bodies are not named. */
  boolean disbelieved() {
    return !state.getChanged()
        && state.getRejections().stream()
            .anyMatch(each -> each.getReason().equals("older") && each.getResource().equals(state.getOperation()));
  }

  /** Whether it is complete. */
  boolean whole() {
    return !disbelieved() && state.getComplete() && !pages.isEmpty();
  }

  /** Whether it lists those platforms alone that support NFTs: it does not show which there are, nor which are removed. */
  boolean isNft() {
    return !pages.isEmpty() && pages.get(0).query.parameter("filter", "").equals("nft");
  }

  String name() {
    return target() + "@" + snapshot();
  }
}
