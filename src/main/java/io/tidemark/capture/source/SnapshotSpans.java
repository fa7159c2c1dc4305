package io.tidemark.capture.source;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.source.SourceListener.CommittedSnapshot;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.Traces.FinishedSpan;
import io.tidemark.market.Failure;
import io.tidemark.market.Snapshot;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans of a source's snapshots: each poll, and within its trace the detection and the commit of the changes.
 *
 * @param host host of the service
 */
record SnapshotSpans(Traces traces, String host) {

  /** Ends the spans of a poll and of the detection that follows it. */
  void detected(Snapshot snapshot, ChangeSet outcome, Instant begun) {
    var poll = poll(snapshot);
    if (poll != null && poll.sampled()) {
      var name = "poll " + snapshot.target().query().operation().wire();
      traces.ended(new FinishedSpan(
          poll, null, name, true, snapshot.startedAt(), snapshot.observedAt(), attributes(snapshot)));
      var changes = outcome.updates().stream().filter(update -> update.change() != null).count();
      traces.ended(new FinishedSpan(poll.child("detect"), poll, "detect", false, begun, Instant.now(),
          Map.of("tidemark.changes", changes, "tidemark.snapshot", outcome.targetState().getSnapshot())));
    }
  }

  /** Ends the spans of a commit, one for each of the snapshots that were committed together. */
  void committed(List<CommittedSnapshot> batch, Instant begun) {
    var end = Instant.now();
    for (var each : batch) {
      var poll = poll(each.snapshot());
      if (poll != null && poll.sampled()) {
        traces.ended(new FinishedSpan(poll.child(Traces.COMMIT), poll, Traces.COMMIT, false, begun, end,
            Map.of("tidemark.snapshots", (long) batch.size())));
      }
    }
  }

  private @Nullable TraceParent poll(Snapshot snapshot) {
    return traces.poll(snapshot.target().source(), snapshot.target().name(), snapshot.observedAt());
  }

  private Map<String, Object> attributes(Snapshot snapshot) {
    var target = snapshot.target();
    var attributes = new HashMap<String, Object>(Map.of(
        "http.request.method", "GET",
        "server.address", host,
        "url.path", target.name().replaceFirst("\\?.*", ""),
        "tidemark.source", target.source(),
        "tidemark.target", target.name(),
        "tidemark.pages", (long) snapshot.pages().size()));
    var failure = snapshot.failure();
    if (failure == null) {
      attributes.put("http.response.status_code", 200L);
    } else {
      attributes.put("error.type", failure.getClass().getSimpleName());
      if (failure instanceof Failure.Unreadable unreadable) {
        attributes.put("http.response.status_code", (long) unreadable.status());
      }
    }
    return attributes;
  }
}
