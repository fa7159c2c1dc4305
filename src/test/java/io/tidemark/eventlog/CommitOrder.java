package io.tidemark.eventlog;

import io.tidemark.eventlog.ObservedResource.Ref;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which snapshots were committed: by transaction, then by arrival, then by target name. Transactions of
 * the same millisecond are ordered by the revisions of a resource that both changed.
 */
final class CommitOrder {
  private static final Comparator<SnapshotRecord> BY_OBSERVATION =
      Comparator.<SnapshotRecord, Instant>comparing(SnapshotRecord::at).thenComparing(SnapshotRecord::target);

  private final Map<String, Map<Ref, Long>> revisions = new HashMap<>();

  CommitOrder(List<RecordedChange> changes) {
    changes.forEach(each -> revisions.computeIfAbsent(each.snapshot(), any -> new HashMap<>()).merge(each.ref(),
        each.revision(), Math::min));
  }

  /** Returns the snapshots in order; those of each target must already be in order. */
  List<SnapshotRecord> of(List<SnapshotRecord> snapshots) {
    var left = new ArrayList<>(snapshots);
    left.sort(Comparator.comparing(SnapshotRecord::committedAt));
    var ordered = new ArrayList<SnapshotRecord>();
    while (!left.isEmpty()) {
      var sameTime = left.stream().takeWhile(each -> each.committedAt().equals(left.get(0).committedAt())).toList();
      SnapshotRecord next = sameTime.stream()
          .filter(snapshot -> sameTime.stream().noneMatch(other -> comesBefore(other, snapshot)))
          .min(BY_OBSERVATION)
          .orElse(sameTime.get(0));
      ordered.add(next);
      left.remove(next);
    }
    return ordered;
  }

  private boolean comesBefore(SnapshotRecord one, SnapshotRecord other) {
    if (one.target().equals(other.target())) {
      return one.snapshot() < other.snapshot();
    }
    Map<Ref, Long> theirs = revisions.getOrDefault(other.name(), Map.of());
    return revisions.getOrDefault(one.name(), Map.of()).entrySet().stream()
        .anyMatch(each -> each.getValue() < theirs.getOrDefault(each.getKey(), Long.MIN_VALUE));
  }
}
