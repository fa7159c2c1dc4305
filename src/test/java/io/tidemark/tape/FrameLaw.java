package io.tidemark.tape;

import io.tidemark.tape.Observation.Ref;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A resource's first change in each half of the retention is a key frame, and no other is. */
final class FrameLaw {
  private static final String LAW = "key frames come once in each half of the retention";

  private final Consumer<Complaint> complaints;
  private final long half;
  private final Map<Ref, Long> newest = new HashMap<>();

  FrameLaw(Duration retention, Consumer<Complaint> complaints) {
    this.half = retention.dividedBy(2).toMillis();
    this.complaints = complaints;
  }

  void take(Change change) {
    long now = Math.floorDiv(change.origin().getObservedAt().toEpochMilli(), half);
    Long before = newest.put(change.ref(), now);
    boolean due = before == null || before != now || change.revision() == 1;
    if (due != change.origin().getFrame()) {
      complaints.accept(change.complaint(LAW, "frame", due, change.origin().getFrame()));
    }
  }
}
