package io.tidemark.audit;

import io.tidemark.topic.CommittedRecord;
import io.tidemark.topic.CommittedRecord.RecordPosition;
import io.tidemark.topic.OffsetRange;
import io.tidemark.topic.ResourceTopics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One partition of a resource: its changes, folded, are its states.
 *
 * <p>Works while the source is writing: the end of the changes is noted, states are read, then changes to their new end.
 * So each state read has its change in what is read, and each change before the first end has a state as new as it.
 */
final class ResourceChecker {

  private final List<FacetFields> facets;
  private final CheckedReader reading;
  private final AuditReport report;
  private final OffsetRange states;
  private final long settled;
  private final Map<String, AuditedResource> subjects = new HashMap<>();

  /** @param partition of both topics: a change and its state have the same key */
  ResourceChecker(ResourceTopics<?, ?> topics, int partition, CheckedReader reading, AuditReport report) {
    this.facets = FacetFields.of(topics);
    this.reading = reading;
    this.report = report;
    this.settled = reading.range(topics.changes(), partition).end();
    this.states = reading.range(topics.state(), partition);
    reading.readLedgerTopic(states, row -> subject(row.keyText()).state = NewestState.of(row, facets));
    var changes = reading.range(topics.changes(), partition);
    var laws = new ChangeChecker(facets, changes, reading, report);
    reading.readLedgerTopic(changes, row -> take(row, laws));
    subjects.forEach((key, subject) -> judge(key, subject, changes));
  }

  /** Visits the folds of all resources. */
  void forEach(BiConsumer<String, FoldedResource> visitor) {
    subjects.forEach((key, subject) -> {
      if (subject.fold != null) {
        visitor.accept(key, subject.fold);
      }
    });
  }

  private AuditedResource subject(String key) {
    return subjects.computeIfAbsent(key, any -> new AuditedResource());
  }

  private void take(CommittedRecord row, ChangeChecker laws) {
    if (row.value() == null) {
      report.add(Law.VALUES, row.position(), "value", "a change", "a tombstone");
      return;
    }
    var subject = subject(row.keyText());
    var fold = laws.fold(subject.fold, new AuditedChange(row, row.value()), row.offset() < settled);
    subject.fold = fold;
    var state = subject.state;
    if (state != null && state.isOf(fold)) {
      subject.compared = true;
      compare(row.keyText(), state, fold, laws);
    }
  }

  private void compare(String key, NewestState state, FoldedResource fold, ChangeChecker laws) {
    if (!fold.complete()) {
      report.leaveUnchecked();
      return;
    }
    report.countChecked();
    for (var place = 0; place < facets.size(); place++) {
      if (state.hashes()[place] != fold.hash(place)) {
        var facet = facets.get(place);
        report.addRead(Law.FOLD, place(key, state), facet.name(), laws.said(fold, place), () -> emitted(state, facet));
      }
    }
  }

  private @Nullable Object emitted(NewestState state, FacetFields facet) {
    var again = reading.value(states.topic(), states.partition(), state.offset());
    return again == null ? null : NewestState.emitted(again, facet);
  }

  private void judge(String key, AuditedResource subject, OffsetRange changes) {
    var state = subject.state;
    var fold = subject.fold;
    if (state == null) {
      stateless(key, Objects.requireNonNull(fold), changes);
    } else if (state.evicted() != null) {
      evicted(key, state, fold);
    } else if (fold == null) {
      changeless(key, state, changes);
    } else {
      numbered(key, state, fold, subject.compared);
    }
  }

  private void stateless(String key, FoldedResource fold, OffsetRange changes) {
    if (fold.moved()) {
      report.leaveChanged();
    } else if (!fold.evicted()) {
      var place = new RecordPosition(changes.topic(), changes.partition(), fold.offset(), key);
      report.add(Law.FOLD, place, "state", "one of revision " + fold.revision(), "none");
    }
  }

  /** A tombstone. Without changes in range nothing can be said of it. */
  private void evicted(String key, NewestState state, @Nullable FoldedResource fold) {
    if (fold == null) {
      return;
    }
    if (fold.moved() && !fold.evicted()) {
      report.leaveChanged();
    } else if (!Objects.equals(state.evicted(), fold.removed())) {
      report.add(Law.EVICTIONS, place(key, state), "reason", fold.removed() == null ? "a state" : fold.removed(),
          "a tombstone: " + state.evicted());
    }
  }

  private void changeless(String key, NewestState state, OffsetRange changes) {
    if (changes.isTruncated()) {
      report.leaveUnchecked();
    } else {
      report.add(Law.FOLD, place(key, state), "revision", "no state: there is no change", state.revision());
    }
  }

  private void numbered(String key, NewestState state, FoldedResource fold, boolean met) {
    if (!fold.moved() && fold.evicted()) {
      report.add(Law.EVICTIONS, place(key, state), "value", "a tombstone: forgotten", "revision " + state.revision());
    } else if (fold.isBehind(state) || (!met && !state.before(fold.generation(), fold.revision()))) {
      report.add(Law.FOLD, place(key, state), "life and revision", fold.generation() + "/" + fold.revision(),
          state.generation() + "/" + state.revision());
    } else if (!met) {
      report.leaveChanged();
    }
  }

  private RecordPosition place(String key, NewestState state) {
    return new RecordPosition(states.topic(), states.partition(), state.offset(), key);
  }
}
