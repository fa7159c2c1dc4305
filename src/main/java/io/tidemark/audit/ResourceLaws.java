package io.tidemark.audit;

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
final class ResourceLaws {

  private final List<Facet> facets;
  private final Reading reading;
  private final Report report;
  private final Span states;
  private final long settled;
  private final Map<String, Subject> subjects = new HashMap<>();

  /** @param partition of both topics: a change and its state have the same key */
  ResourceLaws(ResourceTopics<?, ?> topics, int partition, Reading reading, Report report) {
    this.facets = Facet.of(topics);
    this.reading = reading;
    this.report = report;
    this.settled = reading.span(topics.changes(), partition).end();
    this.states = reading.span(topics.state(), partition);
    reading.ledgers(states, row -> subject(row.name()).state = Mark.of(row, facets));
    var changes = reading.span(topics.changes(), partition);
    var laws = new ChangeLaws(facets, changes, reading, report);
    reading.ledgers(changes, row -> take(row, laws));
    subjects.forEach((key, subject) -> judge(key, subject, changes));
  }

  /** Visits the folds of all resources. */
  void forEach(BiConsumer<String, Fold> visitor) {
    subjects.forEach((key, subject) -> {
      if (subject.fold != null) {
        visitor.accept(key, subject.fold);
      }
    });
  }

  private Subject subject(String key) {
    return subjects.computeIfAbsent(key, any -> new Subject());
  }

  private void take(Row row, ChangeLaws laws) {
    if (row.value() == null) {
      report.add(Law.VALUES, row.place(), "value", "a change", "a tombstone");
      return;
    }
    var subject = subject(row.name());
    var fold = laws.fold(subject.fold, new Change(row, row.value()), row.offset() < settled);
    subject.fold = fold;
    var state = subject.state;
    if (state != null && state.isOf(fold)) {
      subject.met = true;
      meet(row.name(), state, fold, laws);
    }
  }

  private void meet(String key, Mark state, Fold fold, ChangeLaws laws) {
    if (!fold.whole()) {
      report.leaveUnjudged();
      return;
    }
    report.judge();
    for (var place = 0; place < facets.size(); place++) {
      if (state.prints()[place] != fold.print(place)) {
        var facet = facets.get(place);
        report.addRead(Law.FOLD, place(key, state), facet.name(), laws.said(fold, place), () -> emitted(state, facet));
      }
    }
  }

  private @Nullable Object emitted(Mark state, Facet facet) {
    var again = reading.value(states.topic(), states.partition(), state.offset());
    return again == null ? null : Mark.emitted(again, facet);
  }

  private void judge(String key, Subject subject, Span changes) {
    var state = subject.state;
    var fold = subject.fold;
    if (state == null) {
      stateless(key, Objects.requireNonNull(fold), changes);
    } else if (state.forgotten() != null) {
      forgotten(key, state, fold);
    } else if (fold == null) {
      changeless(key, state, changes);
    } else {
      numbered(key, state, fold, subject.met);
    }
  }

  private void stateless(String key, Fold fold, Span changes) {
    if (fold.moved()) {
      report.leaveMoved();
    } else if (!fold.forgotten()) {
      var place = new Place(changes.topic().name(), changes.partition(), fold.offset(), key);
      report.add(Law.FOLD, place, "state", "one of revision " + fold.revision(), "none");
    }
  }

  /** A tombstone. Without changes in range nothing can be said of it. */
  private void forgotten(String key, Mark state, @Nullable Fold fold) {
    if (fold == null) {
      return;
    }
    if (fold.moved() && !fold.forgotten()) {
      report.leaveMoved();
    } else if (!Objects.equals(state.forgotten(), fold.left())) {
      report.add(Law.PARTINGS, place(key, state), "reason", fold.left() == null ? "a state" : fold.left(),
          "a tombstone: " + state.forgotten());
    }
  }

  private void changeless(String key, Mark state, Span changes) {
    if (changes.cut()) {
      report.leaveUnjudged();
    } else {
      report.add(Law.FOLD, place(key, state), "revision", "no state: there is no change", state.revision());
    }
  }

  private void numbered(String key, Mark state, Fold fold, boolean met) {
    if (!fold.moved() && fold.forgotten()) {
      report.add(Law.PARTINGS, place(key, state), "value", "a tombstone: forgotten", "revision " + state.revision());
    } else if (fold.isBehind(state) || (!met && !state.before(fold.life(), fold.revision()))) {
      report.add(Law.FOLD, place(key, state), "life and revision", fold.life() + "/" + fold.revision(),
          state.life() + "/" + state.revision());
    } else if (!met) {
      report.leaveMoved();
    }
  }

  private Place place(String key, Mark state) {
    return new Place(states.topic().name(), states.partition(), state.offset(), key);
  }
}
