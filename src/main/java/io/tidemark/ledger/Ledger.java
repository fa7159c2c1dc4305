package io.tidemark.ledger;

import io.tidemark.change.ChangeSet;
import io.tidemark.change.ResourceUpdate;
import io.tidemark.event.Control;
import io.tidemark.event.Origin;
import io.tidemark.event.SourceState;
import io.tidemark.event.Watch;
import io.tidemark.topic.SchemaRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The one writer of a source: what a sweep comes to is in Kafka whole or not at all, and once.
 *
 * <p>All methods block, and all are one thread's. The first that throws a {@link LedgerFailure} ends this ledger, and
 * every later one throws it again: start another, it goes on from what is committed.
 */
public final class Ledger implements AutoCloseable {

  /** Kind of the words that say what was announced last. */
  public static final String IN_FORCE = "in-force";

  private final LedgerSettings settings;
  private final LedgerRecords records;
  private final LedgerClock clock;
  private final ResourceStateStore store;
  private final TransactionBuffer buffer;
  private final CurrentSourceState sourceState;
  private final TransactionalWriter writer;

  private Ledger(
      LedgerSettings settings, LedgerRecords records, LedgerClock clock, ResourceStateStore store,
      CurrentSourceState sourceState, TransactionalWriter writer) {
    this.settings = settings;
    this.records = records;
    this.clock = clock;
    this.store = store;
    this.buffer = new TransactionBuffer(records, store, settings.largestRecord());
    this.sourceState = sourceState;
    this.writer = writer;
  }

  /**
   * Fences any other writer of the source, restores what is committed, and says who writes now. The source's topics
   * exist.
   *
   * @throws LedgerFailure if that cannot be done; {@link LedgerFailure.Refused} before anyone is fenced
   */
  public static Ledger start(
      LedgerSettings settings,
      SchemaRegistry registry,
      ProducerFactory producers,
      InstantSource time,
      LedgerListener listener) {
    var store = new ResourceStateStore(settings.topics(), registry, settings.localStore());
    try {
      var writer = TransactionalWriter.open(settings, producers, listener);
      return start(settings, registry, writer, new LedgerClock(time), store, listener);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static Ledger start(
      LedgerSettings settings,
      SchemaRegistry registry,
      TransactionalWriter writer,
      LedgerClock clock,
      ResourceStateStore store,
      LedgerListener listener) {
    try {
      var records = new LedgerRecords(settings.topics(), registry);
      var restore = new LedgerRestore(settings, registry, clock, store);
      restore.checkSourceState();
      writer.fenceOthers();
      restore.checkSourceState();
      var sourceState =
          new CurrentSourceState(settings, registry.identity(), restore.previousSourceState(records), clock.stamp());
      var ledger = new Ledger(settings, records, clock, store, sourceState, writer);
      ledger.commit();
      restore.restore(listener);
      return ledger;
    } catch (RuntimeException e) {
      throw writer.fail("start", e);
    }
  }

  /** Starts without a listener. */
  public static Ledger start(
      LedgerSettings settings, SchemaRegistry registry, ProducerFactory producers, InstantSource time) {
    return start(settings, registry, producers, time, LedgerListener.NONE);
  }

  /** What is known, with all that was taken. */
  public ResourceStateStore states() {
    return store;
  }

  /**
   * Takes what a sweep came to: known at once, in Kafka with the next commit.
   *
   * @return the outcome without the resources whose records are too large, with dead letters instead; what is known of
   *     them stays as it was, so that their next change has the revision that was not used
   */
  public ChangeSet append(ChangeSet outcome) {
    writer.checkOpen();
    try {
      return buffer.append(outcome);
    } catch (RuntimeException e) {
      throw writer.fail("take what a sweep came to", e);
    }
  }

  /**
   * Takes what became due without a sweep, such as a change that was held back.
   *
   * @param origin the look that saw it
   * @return whether it is not left out for its size
   */
  public boolean append(ResourceUpdate entry, Origin origin) {
    writer.checkOpen();
    try {
      return buffer.append(entry, SnapshotReference.of(origin));
    } catch (RuntimeException e) {
      throw writer.fail("take what was due", e);
    }
  }

  /** Takes a word of the command line: in Kafka with what was taken before it, or not at all. */
  public void append(Watch word) {
    writer.checkOpen();
    try {
      buffer.append(word);
    } catch (RuntimeException e) {
      throw writer.fail("take a word of the command line", e);
    }
  }

  /** Commits what was taken, in one transaction. */
  public void commit() {
    writer.checkOpen();
    if (!buffer.pending().isEmpty() || sourceState.unwritten()) {
      write("commit", clock.stamp(), buffer::pending);
      buffer.clear();
    }
  }

  /** Takes and commits. */
  public void commit(List<ChangeSet> outcomes) {
    outcomes.forEach(this::append);
    commit();
  }

  /** Says to every partition what time it is, in a transaction of its own: no later record is stamped at or below. */
  public Instant tick() {
    writer.checkOpen();
    var now = clock.tick();
    sourceState.markUnwritten();
    write("tick", now, () -> control(Control.newBuilder().setKind("tick").setAt(now).build()));
    return now;
  }

  /**
   * Says to every partition what is in force, at once; and to {@code watch} that it was said, in the same transaction.
   *
   * @param kind {@code rules} or {@code silences}
   * @param text YAML
   */
  public void announce(String kind, long version, String text) {
    writer.checkOpen();
    var now = clock.stamp();
    var word = Control.newBuilder().setKind(kind).setAt(now).setVersion(version).setText(text).build();
    write("announce " + kind, now, () -> announced(word));
  }

  private List<PendingRecord> announced(Control word) {
    var said = Watch.newBuilder()
        .setKind(IN_FORCE)
        .setName(word.getKind())
        .setText(word.getText())
        .setWho(settings.owner())
        .setAt(word.getAt())
        .build();
    var drafts = new ArrayList<>(control(word));
    drafts.add(records.command(said));
    return drafts;
  }

  /** What is said of the source: a copy. */
  public SourceState sourceState() {
    return sourceState.copy();
  }

  /** Changes what is said of the source; written with the next transaction. Source, owner and clock stay. */
  public void updateSourceState(UnaryOperator<SourceState> change) {
    writer.checkOpen();
    sourceState.update(change);
  }

  /** Changes what is said of the source, at once; commits what was taken, too. */
  public void commitSourceState(UnaryOperator<SourceState> change) {
    updateSourceState(change);
    commit();
  }

  /** Leaves the source to the next: what was taken and not committed is forgotten. */
  @Override
  public void close() {
    writer.close();
    store.close();
  }

  private List<PendingRecord> control(Control word) {
    word.setPartitions(settings.layout().partitions());
    return records.control(word, word.getPartitions());
  }

  /** The source's own state goes with the transaction when there is news of it. */
  private void write(String doing, Instant stamp, Supplier<List<PendingRecord>> drafts) {
    try {
      var all = new ArrayList<>(drafts.get());
      if (sourceState.unwritten()) {
        all.add(records.source(sourceState.stampedAt(stamp)));
      }
      writer.write(stamp, all);
      sourceState.written();
    } catch (RuntimeException e) {
      throw writer.fail(doing, e);
    }
  }
}
