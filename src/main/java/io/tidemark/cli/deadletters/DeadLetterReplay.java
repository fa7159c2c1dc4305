package io.tidemark.cli.deadletters;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.ledger.Ledger;
import io.tidemark.capture.ledger.LedgerListener;
import io.tidemark.capture.ledger.LedgerSettings;
import io.tidemark.capture.ledger.ProducerFactory;
import io.tidemark.capture.source.SourceSettings;
import io.tidemark.cli.deadletters.DeadLetterReader.ReplayMarks;
import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.registry.SchemaRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Commits the contents of dead letters as snapshots at the times at which they were received. The transaction of each
 * snapshot also contains a mark that its dead letter was replayed. This object is the writer of the source until it is
 * closed.
 *
 * <p>If a later snapshot of a dead letter's target exists, that snapshot stays the newest. A dead letter counts as a
 * complete snapshot only if its target has one page and no later snapshot was read. Any other dead letter updates
 * resources but no ranking, and a resource that it lacks does not count as absent.
 */
record DeadLetterReplay(SourceSettings source, Ledger ledger, ChangeDetector detector) implements AutoCloseable {

  static DeadLetterReplay start(SourceSettings source, LedgerSettings settings, SchemaRegistry registry) {
    var clock = InstantSource.system();
    var ledger = Ledger.start(settings, registry, ProducerFactory.KAFKA, clock, LedgerListener.NONE);
    var since = ledger.sourceState().getWatchingSince();
    return new DeadLetterReplay(source, ledger,
        source.detector(settings.topics().retention().changes(), since, clock.instant()));
  }

  /** Commits the answer of a dead letter, and returns the number of changes. */
  long apply(StoredDeadLetter deadLetter, Answer<?> answer) {
    var appended = ledger.append(changes(deadLetter, answer));
    ledger.append(ReplayMarks.of(deadLetter, System.getProperty("user.name", ""), Instant.now()));
    ledger.commit();
    return appended.updates().stream().filter(update -> update.change() != null).count();
  }

  /** Marks the source as stopped, unless the ledger has failed, and closes the ledger. */
  @Override
  public void close() {
    try (ledger) {
      if (!ledger.hasFailed()) {
        ledger.commitSourceState(state -> SourceState.newBuilder(state).setStatus("stopped")
            .setMessage("dead letters were replayed; no instance watches the source since").build());
      }
    }
  }

  private ChangeSet changes(StoredDeadLetter deadLetter, Answer<?> answer) {
    var before = ledger.states().targetState(deadLetter.content().getTarget());
    var target = target(deadLetter);
    var complete = target.pages() == 1 && !isOvertaken(deadLetter, before);
    var paged = answer.query() instanceof Query.Paged<?>;
    var missing = complete ? null : new Failure.Unreachable("the dead letter holds this page only", null);
    var snapshot = new Snapshot(target, List.of(answer), !paged, missing, answer.receivedAt(), answer.receivedAt());
    var changes = detector.detectOutOfOrder(snapshot, ledger.states(), Instant.now());
    return before == null
        ? changes
        : new ChangeSet(newestState(before, changes.targetState(), complete), changes.members(), changes.updates(),
            changes.listings(), changes.deadLetters());
  }

  private Target target(StoredDeadLetter deadLetter) {
    var name = deadLetter.content().getTarget();
    var query = Endpoints.parseTarget(name);
    return source.watch().targets().stream()
        .map(watched -> watched.target())
        .filter(target -> target.name().equals(name))
        .findFirst()
        .orElseGet(() -> new Target(source.name(), name, query, query instanceof Query.Paged<?> ? 2 : 1));
  }

  /**
   * Returns whether a page of the target was read that is later than the dead letter. In an incomplete snapshot, a page
   * with the same body as the dead letter does not count.
   */
  private static boolean isOvertaken(StoredDeadLetter deadLetter, @Nullable TargetState newest) {
    if (newest == null) {
      return false;
    }
    if (newest.getComplete() && newest.getPages().isEmpty()) { // its bodies were forgotten
      return newest.getObservedAt().isAfter(deadLetter.content().getReceivedAt());
    }
    var digest = deadLetter.content().getDigest();
    var read = Stream.concat(newest.getLastCompletePages().stream(), newest.getPages().stream()
        .filter(page -> newest.getComplete() || !page.getDigest().equals(digest)));
    return read.anyMatch(page -> page.getReceivedAt().isAfter(deadLetter.content().getReceivedAt()));
  }

  private static TargetState newestState(TargetState before, TargetState now, boolean complete) {
    if (!complete) {
      return TargetState.newBuilder(before).setSnapshot(now.getSnapshot()).build();
    }
    var later = now.getObservedAt().isAfter(before.getObservedAt()) ? now : before;
    return TargetState.newBuilder(now).setObservedAt(later.getObservedAt()).setLearned(before.getLearned()).build();
  }
}
