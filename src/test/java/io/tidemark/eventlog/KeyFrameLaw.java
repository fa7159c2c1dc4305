package io.tidemark.eventlog;

import io.tidemark.eventlog.ObservedResource.Ref;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The law that the first change of a resource in each half of the retention, and the first after its removal, is a key
 * frame, and no other is.
 */
final class KeyFrameLaw {
  private static final String LAW = "key frames come once in each half of the retention, and after a removal";

  private final Consumer<Violation> violations;
  private final long half;
  private final Map<Ref, Long> newest = new HashMap<>();
  private final Set<Ref> removed = new HashSet<>();

  KeyFrameLaw(Duration retention, Consumer<Violation> violations) {
    this.half = retention.dividedBy(2).toMillis();
    this.violations = violations;
  }

  void take(RecordedChange change) {
    long now = Math.floorDiv(change.origin().getObservedAt().toEpochMilli(), half);
    Long before = newest.put(change.ref(), now);
    boolean returned = change.part("appeared") != null && removed.remove(change.ref());
    if (change.part("removed") != null) {
      removed.add(change.ref());
    }
    boolean due = before == null || before != now || change.revision() == 1 || returned;
    if (due != change.origin().getKeyFrame()) {
      violations.accept(change.violation(LAW, "key_frame", due, change.origin().getKeyFrame()));
    }
  }
}
