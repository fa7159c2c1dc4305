package io.tidemark.cli.deadletters;

import io.tidemark.change.ChangeDetector;
import io.tidemark.change.ChangeSet;
import io.tidemark.cli.print.StoredDeadLetter;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.ProducerFactory;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import io.tidemark.source.SourceSettings;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Dead letters on their way into Kafka: what they show, as looks of then, each in one transaction with the mark that it
 * was replayed. It is the writer of the source meanwhile.
 *
 * <p>The newest look at a target stays what it was: a letter is a whole look only where its target has one page and was
 * not understood since; of all others the resources count, and neither a ranking nor what was missing.
 */
final class DeadLetterReplay implements AutoCloseable {

  private final SourceSettings source;
  private final Ledger ledger;
  private final ChangeDetector detection;

  private DeadLetterReplay(SourceSettings source, Ledger ledger, ChangeDetector detection) {
    this.source = source;
    this.ledger = ledger;
    this.detection = detection;
  }

  static DeadLetterReplay start(SourceSettings source, LedgerSettings settings, SchemaRegistry registry) {
    var clock = InstantSource.system();
    var ledger = Ledger.start(settings, registry, ProducerFactory.KAFKA, clock);
    var since = ledger.sourceState().getWatchingSince();
    return new DeadLetterReplay(source, ledger,
        source.detector(settings.topics().retention().changes(), since, clock.instant()));
  }

  /** How many changes came of it. */
  long apply(StoredDeadLetter deadLetter, Answer<?> answer) {
    var taken = ledger.append(outcome(deadLetter, answer));
    ledger.append(ReplayMarks.of(deadLetter, System.getProperty("user.name", ""), Instant.now()));
    ledger.commit();
    return taken.updates().stream().filter(entry -> entry.change() != null).count();
  }

  /** Says that nobody writes the source now. */
  @Override
  public void close() {
    try (ledger) {
      ledger.commitSourceState(state -> SourceState.newBuilder(state)
          .setStatus("stopped").setMessage("dead letters were replayed; nothing is watched since").build());
    }
  }

  private ChangeSet outcome(StoredDeadLetter deadLetter, Answer<?> answer) {
    var before = ledger.states().targetState(deadLetter.content().getTarget());
    var target = target(deadLetter);
    var whole = target.pages() == 1 && !isOvertaken(deadLetter, before);
    var paged = answer.query() instanceof Query.Paged<?>;
    var sweep = new Snapshot(target, List.of(answer), !paged, whole ? null : otherPagesMissing(), answer.receivedAt());
    var outcome = detection.detect(sweep, ledger.states());
    return before == null ? outcome : withTargetState(outcome, newestState(before, outcome.targetState(), whole));
  }

  private static Failure otherPagesMissing() {
    return new Failure.Unreachable("only this page was kept", null);
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

  /** Whether a later look may have been understood; not where that showed the very same body. */
  private static boolean isOvertaken(StoredDeadLetter deadLetter, @Nullable TargetState newest) {
    if (newest == null || !newest.getObservedAt().isAfter(deadLetter.content().getReceivedAt())) {
      return false;
    }
    var digest = deadLetter.content().getDigest();
    return newest.getComplete() || newest.getPages().stream().noneMatch(page -> page.getDigest().equals(digest));
  }

  private static TargetState newestState(TargetState before, TargetState now, boolean whole) {
    if (!whole) {
      return TargetState.newBuilder(before).setSnapshot(now.getSnapshot()).build();
    }
    var later = now.getObservedAt().isAfter(before.getObservedAt()) ? now : before;
    return TargetState.newBuilder(now).setObservedAt(later.getObservedAt()).build();
  }

  private static ChangeSet withTargetState(ChangeSet outcome, TargetState look) {
    return new ChangeSet(
        look, outcome.members(), outcome.updates(), outcome.listings(), outcome.deadLetters());
  }
}
