package io.tidemark.tape;

import io.tidemark.tape.Observation.Ref;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The order in which looks were committed: that of their transactions, and within one that of their arrival, then of
 * their names. Of transactions within one millisecond, that which changed a resource first has the lower revision of it.
 */
final class CommitOrder {
  private static final Comparator<Look> BY_OBSERVATION =
      Comparator.<Look, Instant>comparing(Look::at).thenComparing(Look::target);

  private final Map<String, Map<Ref, Long>> revisions = new HashMap<>();

  CommitOrder(List<Change> changes) {
    changes.forEach(each -> revisions.computeIfAbsent(each.look(), any -> new HashMap<>()).merge(each.ref(),
        each.revision(), Math::min));
  }

  /** The looks in order, where those of each target are in order already. */
  List<Look> of(List<Look> looks) {
    var left = new ArrayList<>(looks);
    left.sort(Comparator.comparing(Look::committedAt));
    var ordered = new ArrayList<Look>();
    while (!left.isEmpty()) {
      var sameTime = left.stream().takeWhile(each -> each.committedAt().equals(left.get(0).committedAt())).toList();
      Look next = sameTime.stream()
          .filter(look -> sameTime.stream().noneMatch(other -> comesBefore(other, look)))
          .min(BY_OBSERVATION)
          .orElse(sameTime.get(0));
      ordered.add(next);
      left.remove(next);
    }
    return ordered;
  }

  private boolean comesBefore(Look one, Look other) {
    if (one.target().equals(other.target())) {
      return one.sweep() < other.sweep();
    }
    Map<Ref, Long> theirs = revisions.getOrDefault(other.name(), Map.of());
    return revisions.getOrDefault(one.name(), Map.of()).entrySet().stream()
        .anyMatch(each -> each.getValue() < theirs.getOrDefault(each.getKey(), Long.MIN_VALUE));
  }
}
