package io.tidemark.eventlog;

import io.tidemark.event.PageRecord;
import io.tidemark.event.TargetState;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The committed snapshots of all targets, in order for each target, checked against the bodies that they list. */
final class SnapshotRecords {
  private static final String LAW = "every snapshot is in the event log";

  private final Bodies bodies;
  private final Consumer<Violation> violations;
  private final Map<String, TargetState> newest = new HashMap<>();

  /** The time at which each target was last observed. */
  private final Map<String, Instant> lastObserved = new HashMap<>();

  private SnapshotRecords(Bodies bodies, Consumer<Violation> violations) {
    this.bodies = bodies;
    this.violations = violations;
  }

  static List<SnapshotRecord> of(EventLog eventLog, Bodies bodies, Consumer<Violation> violations) {
    var snapshots = new SnapshotRecords(bodies, violations);
    return eventLog.in(eventLog.topics().targetState())
        .filter(entry -> entry.value() != null)
        .map(snapshots::snapshot)
        .toList();
  }

  private SnapshotRecord snapshot(EventLog.Entry entry) {
    var state = (TargetState) Objects.requireNonNull(entry.value());
    TargetState before = newest.put(state.getTarget(), state);
    continues(state, before);
    var pages = new ArrayList<ParsedBody>();
    for (PageRecord page : state.getPages()) {
      Bodies.Body body = bodies.find(page.getRequestId());
      if (body == null) {
        report(state, "body of page " + page.getPage(), "an answer of the origin", page.getRequestId());
      } else {
        same(state, "digest of page " + page.getPage(), sha256(body.bytes()), page.getDigest());
        read(state, body, page, pages);
      }
    }
    var snapshot = new SnapshotRecord(entry.timestamp(), state, pages, lastObserved.get(state.getTarget()));
    recordObservation(snapshot);
    return snapshot;
  }

  /** Checks the times of observation; a failed snapshot, or a partial one after a complete one, does not count. */
  private void recordObservation(SnapshotRecord snapshot) {
    TargetState state = snapshot.state();
    if (snapshot.disbelieved()) {
      return;
    }
    boolean sees = snapshot.whole() || (snapshot.observedBefore() == null && !snapshot.pages().isEmpty());
    same(state, "observed_at", sees || snapshot.observedBefore() == null ? snapshot.at() : snapshot.observedBefore(),
        state.getObservedAt());
    if (snapshot.whole()) {
      same(state, "previous_observed_at", snapshot.observedBefore(), state.getPreviousObservedAt());
    }
    if (sees) {
      lastObserved.put(state.getTarget(), snapshot.at());
    }
  }

  /** Reads one page; a page that is no answer shows nothing, and its snapshot must not be complete. */
  private void read(TargetState state, Bodies.Body body, PageRecord page, List<ParsedBody> pages) {
    if (body.url() != null) {
      pages.add(ParsedBody.read(body.url(), body.bytes(), page.getAsOf()));
    } else {
      same(state, "complete", false, state.getComplete());
    }
  }

  private void continues(TargetState state, @Nullable TargetState before) {
    same(state, "snapshot", before == null ? 1L : before.getSnapshot() + 1, state.getSnapshot());
    if (before == null) {
      return;
    }
    boolean refused = state.getRejections().stream().anyMatch(each -> each.getReason().equals("older"));
    if (!state.getChanged() && !refused) {
      same(state, "digests of an unchanged snapshot", digests(before), digests(state));
    }
  }

  private static List<String> digests(TargetState state) {
    return state.getPages().stream().map(PageRecord::getDigest).toList();
  }

  private void same(TargetState state, String where, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      report(state, where, expected, found);
    }
  }

  private void report(TargetState state, String where, @Nullable Object expected, @Nullable Object found) {
    violations.accept(new Violation(LAW, "target", state.getTarget(), state.getSnapshot(), where, expected, found));
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
