package io.tidemark.eventlog;

import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One committed snapshot of a target, with its parsed bodies.
 *
 * @param committedAt timestamp of its record, which all records of its transaction have
 * @param observedBefore when the target was last observed before: completely, or in part if it never was complete;
 *     null if never
 */
record SnapshotRecord(Instant committedAt, TargetState state, List<ParsedBody> pages,
    @Nullable Instant observedBefore) {
  String target() {
    return state.getTarget();
  }

  long snapshot() {
    return state.getSnapshot();
  }

  /** Returns the time of the poll. */
  Instant at() {
    return Objects.requireNonNull(state.getAttemptedAt());
  }

  /** Returns whether all of it was rejected as older than the snapshot before; its bodies are then not listed. */
  boolean disbelieved() {
    return !state.getChanged()
        && state.getRejections().stream()
            .anyMatch(each -> each.getReason().equals("older") && each.getResource().equals(state.getOperation()));
  }

  /** Returns whether it counts and is complete. */
  boolean whole() {
    return !disbelieved() && state.getComplete() && !pages.isEmpty();
  }

  /** Returns whether it lists only platforms with NFT support; absence from that list is not a removal. */
  boolean isNft() {
    return !pages.isEmpty() && pages.get(0).query.parameter("filter", "").equals("nft");
  }

  String name() {
    return target() + "@" + snapshot();
  }
}
