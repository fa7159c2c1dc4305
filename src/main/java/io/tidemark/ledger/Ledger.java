package io.tidemark.ledger;

import io.tidemark.change.Outcome;
import io.tidemark.change.States;
import io.tidemark.event.Budget;
import io.tidemark.event.SourceState;
import io.tidemark.topic.Registry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The one writer of a source. All methods block, and all are to be called from one thread.
 *
 * <p>A method that throws a {@link LedgerFailure} has ended this ledger: start another.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class Ledger implements AutoCloseable {

  /** Fences any other writer of the source, then restores what is committed. */
  public static Ledger start(
      LedgerSettings settings, Registry registry, Producers producers, InstantSource clock, Progress progress) {
    throw new UnsupportedOperationException();
  }

  /** What is known, with all that was taken. */
  public States states() {
    throw new UnsupportedOperationException();
  }

  /** Takes what a sweep came to: known at once, in Kafka with the next commit. Returns what was not left out. */
  public Outcome take(Outcome outcome) {
    throw new UnsupportedOperationException();
  }

  /** Commits what was taken, in one transaction. */
  public void commit() {
    throw new UnsupportedOperationException();
  }

  /** Takes and commits. */
  public void commit(List<Outcome> outcomes) {
    outcomes.forEach(this::take);
    commit();
  }

  /** Says to every partition what time it is, in a transaction of its own: no later record is stamped at or below. */
  public Instant tick() {
    throw new UnsupportedOperationException();
  }

  /** Says to every partition which rule set or silences are in force. */
  public void announce(String kind, long version, String text) {
    throw new UnsupportedOperationException();
  }

  public SourceState source() {
    throw new UnsupportedOperationException();
  }

  /** Changes what is said of the source; written with the next transaction. */
  public void update(UnaryOperator<SourceState> change) {
    throw new UnsupportedOperationException();
  }

  /** Changes what is said of the source, at once. */
  public void updateNow(UnaryOperator<SourceState> change) {
    update(change);
    commit();
  }

  /** Commits that so many calls more of a month are as good as spent; only then may they be spent. */
  public Budget reserve(Instant month, long calls) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
