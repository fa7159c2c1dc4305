package io.tidemark.tape;

import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds the events of a source against the bodies that its origin served. Knows nothing of how they were made: it reads
 * the bodies with a table of its own, and folds them by the words of the design. What events owe each other is the
 * audit's to check.
 */
final class TapeCheck {
  private static final int SHOWN = 20;

  private final Tape tape;
  private final List<Complaint> complaints = new ArrayList<>();
  private final List<Change> changes;

  private TapeCheck(Tape tape) {
    this.tape = tape;
    this.changes = tape.topics().resources().stream()
        .flatMap(topics -> tape.in(topics.changes()).map(entry -> new Change(topics.resource(), entry)))
        .toList();
  }

  /**
   * All that is wrong.
   *
   * @param everything whether the source says everything at once; otherwise it holds back what is not material
   */
  static List<Complaint> check(Tape tape, Bodies bodies, boolean everything) {
    var check = new TapeCheck(tape);
    check.frames();
    check.transactions();
    check.looks(bodies, everything);
    return check.complaints;
  }

  /** Fails with the first offenders, readably. */
  static void holds(Tape tape, Bodies bodies, boolean everything) {
    List<Complaint> complaints = check(tape, bodies, everything);
    if (!complaints.isEmpty()) {
      throw new AssertionError(report(complaints));
    }
  }

  static String report(List<Complaint> complaints) {
    Map<String, Long> byKind = complaints.stream()
        .collect(Collectors.groupingBy(each -> each.law() + ": " + each.resource(), Collectors.counting()));
    return complaints.stream()
        .limit(SHOWN)
        .map(Complaint::toString)
        .collect(Collectors.joining("\n", complaints.size() + " offences " + byKind + "\n", ""));
  }

  private void frames() {
    var frames = new FrameLaw(tape.topics().retention().changes(), complaints::add);
    changes.forEach(frames::take);
  }

  /** A change bears the time of its look, or a later one where it was held back. */
  private void transactions() {
    Map<String, Instant> looks = tape.in(tape.topics().targetState())
        .collect(Collectors.toMap(TapeCheck::look, Tape.Entry::timestamp, (one, other) -> one));
    for (Change change : changes) {
      Instant time = change.entry().timestamp();
      Instant look = looks.get(change.look());
      if (look == null || time.isBefore(look)) {
        complaints.add(change.complaint("a change and its look are one transaction", "timestamp", look, time));
      }
    }
  }

  private static String look(Tape.Entry entry) {
    var state = (TargetState) Objects.requireNonNull(entry.value());
    return state.getTarget() + "@" + state.getSweep();
  }

  private void looks(Bodies bodies, boolean everything) {
    Map<String, List<Change>> byLook = changes.stream().collect(Collectors.groupingBy(Change::look));
    var rankings = new RankingLaw(complaints::add);
    var body = new BodyLaw(everything, complaints::add);
    var novelty = new NoveltyLaw(watchingSince(), complaints::add);
    var absence = new AbsenceLaw(complaints::add);
    for (Look look : new CommitOrder(changes).of(Looks.of(tape, bodies, complaints::add))) {
      List<Change> all = byLook.getOrDefault(look.name(), List.of());
      all.forEach(change -> origin(change, look));
      rankings.take(look, all.stream().filter(each -> each.resource().equals("ranking")).toList());
      body.take(look, all.stream().filter(each -> !each.resource().equals("ranking")).toList());
      novelty.take(look, all);
      absence.take(look, all);
    }
  }

  private void origin(Change change, Look look) {
    same(change, "observed_at", look.at(), change.origin().getObservedAt());
    same(change, "previous_observed_at", look.seenBefore(), change.origin().getPreviousObservedAt());
    same(change, "operation", look.state().getOperation(), change.origin().getOperation());
    same(change, "source", look.state().getSource(), change.origin().getSource());
  }

  private void same(Change change, String where, @Nullable Object expected, @Nullable Object found) {
    if (!Objects.equals(expected, found)) {
      complaints.add(change.complaint("the origin is the look", "origin." + where, expected, found));
    }
  }

  private @Nullable Instant watchingSince() {
    return tape.in(tape.topics().sourceState())
        .map(entry -> ((SourceState) Objects.requireNonNull(entry.value())).getWatchingSince())
        .min(Comparator.naturalOrder())
        .orElse(null);
  }
}
