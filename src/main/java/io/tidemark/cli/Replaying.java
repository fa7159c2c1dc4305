package io.tidemark.cli;

import io.tidemark.change.Detection;
import io.tidemark.change.Outcome;
import io.tidemark.cli.settings.SourceSettings;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetState;
import io.tidemark.http.Endpoints;
import io.tidemark.ledger.Ledger;
import io.tidemark.ledger.LedgerSettings;
import io.tidemark.ledger.Producers;
import io.tidemark.market.Answer;
import io.tidemark.market.Failure;
import io.tidemark.market.Query;
import io.tidemark.market.Sweep;
import io.tidemark.market.Target;
import io.tidemark.topic.Registry;
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
final class Replaying implements AutoCloseable {

  private final SourceSettings source;
  private final Ledger ledger;
  private final Detection detection;

  private Replaying(SourceSettings source, Ledger ledger, Detection detection) {
    this.source = source;
    this.ledger = ledger;
    this.detection = detection;
  }

  static Replaying start(SourceSettings source, LedgerSettings settings, Registry registry) {
    var clock = InstantSource.system();
    var ledger = Ledger.start(settings, registry, Producers.KAFKA, clock, (read, total) -> {});
    var since = ledger.source().getWatchingSince();
    return new Replaying(source, ledger, SourceAtWork.detection(source, settings, since, clock.instant()));
  }

  /** How many changes came of it. */
  long apply(Letter letter, Answer<?> answer) {
    var taken = ledger.take(outcome(letter, answer));
    ledger.take(ReplayMarks.of(letter, System.getProperty("user.name", ""), Instant.now()));
    ledger.commit();
    return taken.entries().stream().filter(entry -> entry.change() != null).count();
  }

  /** Says that nobody writes the source now. */
  @Override
  public void close() {
    try (ledger) {
      ledger.updateNow(state -> SourceState.newBuilder(state)
          .setStatus("stopped").setWord("dead letters were replayed; nothing is watched since").build());
    }
  }

  private Outcome outcome(Letter letter, Answer<?> answer) {
    var before = ledger.states().target(letter.content().getTarget());
    var target = target(letter);
    var whole = target.pages() == 1 && !isOvertaken(letter, before);
    var paged = answer.query() instanceof Query.Paged<?>;
    var sweep = new Sweep(target, List.of(answer), !paged, whole ? null : othersNotKept(), answer.receivedAt());
    var outcome = detection.detect(sweep, ledger.states());
    return before == null ? outcome : withLook(outcome, look(before, outcome.target(), whole));
  }

  private static Failure othersNotKept() {
    return new Failure.Unreachable("only this page was kept", null);
  }

  private Target target(Letter letter) {
    var name = letter.content().getTarget();
    var query = Endpoints.queryOf(name);
    return source.watch().targets().stream()
        .map(watched -> watched.target())
        .filter(target -> target.name().equals(name))
        .findFirst()
        .orElseGet(() -> new Target(source.name(), name, query, query instanceof Query.Paged<?> ? 2 : 1));
  }

  /** Whether a later look may have been understood; not where that showed the very same body. */
  private static boolean isOvertaken(Letter letter, @Nullable TargetState newest) {
    if (newest == null || !newest.getObservedAt().isAfter(letter.content().getReceivedAt())) {
      return false;
    }
    var digest = letter.content().getDigest();
    return newest.getComplete() || newest.getPages().stream().noneMatch(page -> page.getDigest().equals(digest));
  }

  private static TargetState look(TargetState before, TargetState now, boolean whole) {
    if (!whole) {
      return TargetState.newBuilder(before).setSweep(now.getSweep()).build();
    }
    var later = now.getObservedAt().isAfter(before.getObservedAt()) ? now : before;
    return TargetState.newBuilder(now).setObservedAt(later.getObservedAt()).build();
  }

  private static Outcome withLook(Outcome outcome, TargetState look) {
    return new Outcome(
        look, outcome.members(), outcome.entries(), outcome.listings(), outcome.deadLetters());
  }
}
