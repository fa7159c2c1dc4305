package io.tidemark.eventlog;

import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares the event log of a source with the bodies that the service sent. It shares no code with the detection: it
 * reads the bodies with a table of its own and folds them by the documented rules. The audit checks the laws that
 * concern the event log alone.
 */
final class EventLogCheck {
  private static final int OBSERVED = 20;

  private final EventLog eventLog;
  private final List<Rebuild> rebuilds;
  private final List<Violation> violations = new ArrayList<>();
  private final List<RecordedChange> changes;

  /**
   * A rebuild of lost states from their changes, after which it is unknown what each target showed last.
   *
   * @param resource the kind of resources whose states were lost
   * @param at a time between the rebuild and the first snapshot after it
   */
  record Rebuild(String resource, Instant at) {}

  private EventLogCheck(EventLog eventLog, List<Rebuild> rebuilds) {
    this.eventLog = eventLog;
    this.rebuilds = rebuilds;
    this.changes = eventLog.topics().resources().stream()
        .flatMap(topics -> eventLog.in(topics.changes()).map(entry -> new RecordedChange(topics.resource(), entry)))
        .toList();
  }

  /**
   * Returns all violations.
   *
   * @param everything whether the source publishes everything at once; otherwise it may withhold changes
   */
  static List<Violation> check(EventLog eventLog, Bodies bodies, boolean everything) {
    return check(eventLog, bodies, everything, List.of());
  }

  /**
   * Returns all violations.
   *
   * @param rebuilds in the order of their times
   */
  static List<Violation> check(EventLog eventLog, Bodies bodies, boolean everything, List<Rebuild> rebuilds) {
    var check = new EventLogCheck(eventLog, rebuilds);
    check.frames();
    check.transactions();
    check.snapshots(bodies, everything);
    return check.violations;
  }

  /** Fails with the first violations. */
  static void holds(EventLog eventLog, Bodies bodies, boolean everything) {
    holds(eventLog, bodies, everything, List.of());
  }

  static void holds(EventLog eventLog, Bodies bodies, boolean everything, List<Rebuild> rebuilds) {
    List<Violation> violations = check(eventLog, bodies, everything, rebuilds);
    if (!violations.isEmpty()) {
      throw new AssertionError(report(violations));
    }
  }

  static String report(List<Violation> violations) {
    Map<String, Long> byKind = violations.stream()
        .collect(Collectors.groupingBy(each -> each.law() + ": " + each.resource(), Collectors.counting()));
    return violations.stream()
        .limit(OBSERVED)
        .map(Violation::toString)
        .collect(Collectors.joining("\n", violations.size() + " offences " + byKind + "\n", ""));
  }

  private void frames() {
    var frames = new KeyFrameLaw(eventLog.topics().retention().changes(), violations::add);
    changes.forEach(frames::take);
  }

  /** Checks that a change is committed with its snapshot, or later if it was withheld. */
  private void transactions() {
    Map<String, Instant> snapshots = eventLog.in(eventLog.topics().targetState())
        .collect(Collectors.toMap(EventLogCheck::snapshot, EventLog.Entry::timestamp, (one, other) -> one));
    for (RecordedChange change : changes) {
      Instant time = change.entry().timestamp();
      Instant snapshot = snapshots.get(change.snapshot());
      if (snapshot == null || time.isBefore(snapshot)) {
        violations.add(change.violation("a change and its snapshot are one transaction", "timestamp", snapshot, time));
      }
    }
  }

  private static String snapshot(EventLog.Entry entry) {
    var state = (TargetState) Objects.requireNonNull(entry.value());
    return state.getTarget() + "@" + state.getSnapshot();
  }

  private void snapshots(Bodies bodies, boolean everything) {
    Map<String, List<RecordedChange>> bySnapshot =
        changes.stream().collect(Collectors.groupingBy(RecordedChange::snapshot));
    var rankings = new RankingLaw(violations::add);
    var body = new BodyLaw(everything, violations::add);
    var novelty = new NoveltyLaw(watchingSince(), violations::add);
    var absence = new AbsenceLaw(violations::add);
    var rebuilt = new ArrayDeque<>(rebuilds);
    for (SnapshotRecord snapshot : new CommitOrder(changes).of(SnapshotRecords.of(eventLog, bodies, violations::add))) {
      while (!rebuilt.isEmpty() && snapshot.committedAt().isAfter(rebuilt.getFirst().at())) {
        String resource = rebuilt.removeFirst().resource();
        body.rebuild(resource);
        absence.rebuild(resource);
      }
      List<RecordedChange> all = bySnapshot.getOrDefault(snapshot.name(), List.of());
      all.forEach(change -> origin(change, snapshot));
      rankings.take(snapshot, all.stream().filter(each -> each.resource().equals("ranking")).toList());
      body.take(snapshot, all.stream().filter(each -> !each.resource().equals("ranking")).toList());
      novelty.take(snapshot, all);
      absence.take(snapshot, all);
    }
  }

  private void origin(RecordedChange change, SnapshotRecord snapshot) {
    same(change, "observed_at", snapshot.at(), change.origin().getObservedAt());
    same(change, "previous_observed_at", snapshot.observedBefore(), change.origin().getPreviousObservedAt());
    same(change, "operation", snapshot.state().getOperation(), change.origin().getOperation());
    same(change, "source", snapshot.state().getSource(), change.origin().getSource());
  }

  private void same(RecordedChange change, String where, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      violations.add(change.violation("the origin is the snapshot", "origin." + where, expected, found));
    }
  }

  private @Nullable Instant watchingSince() {
    return eventLog.in(eventLog.topics().sourceState())
        .map(entry -> ((SourceState) Objects.requireNonNull(entry.value())).getWatchingSince())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }
}
