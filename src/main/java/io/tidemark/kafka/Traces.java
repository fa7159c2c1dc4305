package io.tidemark.kafka;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The traces of the program. A trace shows what one snapshot caused, from its poll to the notifications. */
public interface Traces {

  /** Name of the child of a poll in which the changes of the snapshot are committed. */
  String COMMIT = "commit";

  /** Begins no traces, and drops the spans of traces that another instance began. */
  Traces OFF = new Traces() {};

  /** Returns the poll of a snapshot, as {@link TraceParent#ofPoll} does, or null if no traces begin here. */
  default @Nullable TraceParent poll(String source, String target, Instant observedAt) {
    return null;
  }

  /** Accepts a finished span. Returns at once, whatever becomes of the span. May be called from any thread. */
  default void ended(FinishedSpan span) {}

  /**
   * A span that has ended.
   *
   * @param parent the span that caused this one; null for a poll
   * @param request whether the span is an HTTP request of this program
   * @param attributes texts and whole numbers; {@code error.type} marks a failure
   */
  record FinishedSpan(TraceParent span, @Nullable TraceParent parent, String name, boolean request, Instant start,
      Instant end, Map<String, ?> attributes) {}
}
