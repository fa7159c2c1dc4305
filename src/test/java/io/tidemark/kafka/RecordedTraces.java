package io.tidemark.kafka;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Traces every poll, and keeps the spans. */
public final class RecordedTraces implements Traces {

  public final List<FinishedSpan> spans = new CopyOnWriteArrayList<>();

  @Override
  public TraceParent poll(String source, String target, Instant observedAt) {
    return TraceParent.ofPoll(source, target, observedAt, 1);
  }

  @Override
  public void ended(FinishedSpan span) {
    spans.add(span);
  }
}
