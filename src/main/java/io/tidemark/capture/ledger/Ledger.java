package io.tidemark.capture.ledger;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.TransactionBuffer.LedgerRecords;
import io.tidemark.capture.ledger.TransactionBuffer.PendingRecord;
import io.tidemark.event.Control;
import io.tidemark.event.Origin;
import io.tidemark.event.SourceState;
import io.tidemark.event.Watch;
import io.tidemark.kafka.UnreadableRecord;
import io.tidemark.kafka.registry.SchemaRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * The single transactional writer of a source. It commits the changes of each snapshot exactly once, all of them or
 * none.
 *
 * <p>All methods are called by one thread, and those that write block. The first {@link LedgerFailure} ends the
 * ledger, and every later call that appends, writes or changes the source's state throws the same failure. A new
 * ledger continues from the committed records.
 */
public final class Ledger implements AutoCloseable {

  /**
   * Kind of the commands in the topic {@code watch} that record the last announcement of each kind, such as the
   * rules.
   */
  public static final String IN_FORCE = "in-force";

  private final LedgerSettings settings;
  private final LedgerRecords records;
  private final LedgerClock clock;
  private final ResourceStateStore store;
  private final TransactionBuffer buffer;
  private final CurrentSourceState sourceState;
  private final TransactionalWriter writer;

  private Ledger(
      LedgerSettings settings,
      LedgerRecords records,
      LedgerClock clock,
      ResourceStateStore store,
      CurrentSourceState sourceState,
      TransactionalWriter writer) {
    this.settings = settings;
    this.records = records;
    this.clock = clock;
    this.store = store;
    this.buffer = new TransactionBuffer(records, store);
    this.sourceState = sourceState;
    this.writer = writer;
  }

  /**
   * Starts the ledger of a source. Fences every other writer, verifies that everything the last writer committed is
   * still there, commits this instance as the owner, and restores the states.
   *
   * @throws LedgerFailure if a step fails. The failure is {@link LedgerFailure.Refused} if the configuration
   *     contradicts the committed records, or if records are lost; both are checked before other writers are fenced
   *     and again afterwards. The failure is {@link LedgerFailure.TimedOut}, for example, if Kafka does not answer or
   *     a transaction of another producer does not end
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
    try (var restore = new LedgerRestore(settings, registry, clock, store)) {
      var records = new LedgerRecords(settings.topics(), registry, settings.traces());
      restore.checkInput();
      writer.fenceOthers();
      restore.awaitInput(listener);
      restore.checkInput();
      var sourceState = new CurrentSourceState(
          settings, registry.identity(), restore.input(), restore.previousSourceState(), clock.stamp());
      var ledger = new Ledger(settings, records, clock, store, sourceState, writer);
      ledger.commit();
      restore.restore(listener);
      restore.unreadable().drainTo(ledger::quarantine);
      return ledger;
    } catch (RuntimeException e) {
      throw writer.fail("start", e);
    }
  }

  /** Returns the known states, including states that are appended but not committed yet. */
  public ResourceStateStore states() {
    return store;
  }

  /**
   * Appends the changes of a snapshot. {@link #states} includes the changes immediately, and the next transaction
   * commits them.
   *
   * @return the change set without the updates, listings and pages of members that were dropped, and with a dead
   *     letter for each record that is too large. The target's state is included even if its record was dropped. The
   *     state of a resource whose update was dropped stays as it was, so the resource's next change reuses the
   *     revision number of the dropped change
   */
  public ChangeSet append(ChangeSet changes) {
    return attempt("append a snapshot", () -> buffer.append(changes));
  }

  /**
   * Appends an update that is due without a snapshot, such as a withheld value.
   *
   * @param origin the snapshot that observed the value of the update
   * @return false if the update is dropped, because it is too large or because an earlier update of the resource was
   *     dropped since the last commit
   */
  public boolean append(ResourceUpdate update, Origin origin) {
    return attempt("append a due update", () -> buffer.append(update, origin));
  }

  /**
   * Appends a command. The next {@link #commit} commits it together with everything else that is appended, or not at
   * all.
   */
  public void append(Watch command) {
    attempt("append a command", () -> buffer.append(command));
  }

  /** Appends the tombstone of a command that no longer applies. */
  public void withdraw(String kind, String name) {
    attempt("withdraw a command", () -> buffer.withdraw(kind, name));
  }

  /**
   * Appends the tombstones of a target that nobody watches: one for its state, and one for each page of its members.
   */
  public void forget(String target) {
    attempt("forget a target", () -> buffer.forget(target));
  }

  /** Appends the dead letter of a record that cannot be used. Also counts and logs the record. */
  public void quarantine(UnreadableRecord record) {
    attempt("quarantine a record", () -> buffer.append(settings.quarantine().add(record)));
  }

  /**
   * Commits everything that was appended, in one transaction. Does nothing if nothing was appended and the source's
   * state is unchanged.
   */
  public void commit() {
    writer.checkOpen();
    if (!buffer.pending().isEmpty() || sourceState.unwritten()) {
      write("commit", clock.stamp(), buffer::pending);
      buffer.clear();
    }
  }

  /** Appends change sets and commits them. */
  public void commit(List<ChangeSet> changes) {
    changes.forEach(this::append);
    commit();
  }

  /**
   * Returns how far the timestamps of records are ahead of this machine's clock, or zero if they are at most a
   * millisecond ahead.
   */
  public Duration clockAhead() {
    return clock.ahead();
  }

  /**
   * Writes a tick, which is a control record with the current time, to every partition of the topic {@code control}
   * in a separate transaction, which leaves the appended records to the next {@link #commit}. Returns this time.
   * Every later record has a later timestamp.
   */
  public Instant tick() {
    writer.checkOpen();
    var now = clock.tick();
    write("tick", now, () -> control(Control.newBuilder().setKind("tick").setAt(now).build()));
    return now;
  }

  /**
   * Writes an announcement, such as the rules in force, to every partition of the topic {@code control}, and records
   * it in the topic {@code watch}, all in one transaction, which leaves the appended records to the next
   * {@link #commit}.
   *
   * @param kind {@code rules}, {@code silences} or {@code rule-failure}
   * @param text text of the rules, silences or failure
   */
  public void announce(String kind, long version, String text) {
    writer.checkOpen();
    var now = clock.stamp();
    var control = Control.newBuilder().setKind(kind).setAt(now).setVersion(version).setText(text).build();
    write("announce " + kind, now, () -> announcement(control));
  }

  private List<PendingRecord> announcement(Control control) {
    var inForce = Watch.newBuilder()
        .setKind(IN_FORCE)
        .setName(control.getKind())
        .setText(control.getText())
        .setWho(settings.owner())
        .setAt(control.getAt())
        .build();
    var announcement = new ArrayList<>(control(control));
    announcement.add(records.command(inForce));
    return announcement;
  }

  /** Returns a copy of the source's state, including changes that are not committed yet. */
  public SourceState sourceState() {
    return sourceState.copy();
  }

  /**
   * Changes the source's state, which the next transaction writes. The ledger itself sets the source, owner,
   * registry, clock, heartbeat and state topics in the state.
   */
  public void updateSourceState(UnaryOperator<SourceState> change) {
    writer.checkOpen();
    sourceState.update(change);
  }

  /** Changes the source's state and commits the state with everything that was appended. */
  public void commitSourceState(UnaryOperator<SourceState> change) {
    updateSourceState(change);
    commit();
  }

  /** Returns whether a failure ended this ledger, so that it cannot commit any more. */
  public boolean hasFailed() {
    return writer.ended instanceof LedgerFailure;
  }

  /** Leaves the source to the next ledger. Anything appended but not committed is lost. */
  @Override
  public void close() {
    writer.close();
    store.close();
  }

  private List<PendingRecord> control(Control control) {
    control.setPartitions(settings.layout().partitions());
    return records.control(control, control.getPartitions());
  }

  private void write(String doing, Instant stamp, Supplier<List<PendingRecord>> pending) {
    attempt(doing, () -> {
      var all = new ArrayList<>(pending.get());
      // Every transaction includes the source's state, because the next owner continues from the clock in this state.
      all.add(records.source(sourceState.stampedAt(stamp)));
      writer.write(stamp, all).forEach(sourceState::committed);
      sourceState.written();
    });
  }

  private void attempt(String doing, Runnable work) {
    attempt(doing, () -> {
      work.run();
      return doing;
    });
  }

  private <T> T attempt(String doing, Supplier<T> work) {
    writer.checkOpen();
    try {
      return work.get();
    } catch (RuntimeException e) {
      throw writer.fail(doing, e);
    }
  }

  /** After {@link #fail} or {@link #close}, nothing more is written and {@link #write} throws. */
  static final class TransactionalWriter {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final String source;
    private final Producer<byte[], byte[]> producer;
    private final LedgerListener listener;
    private volatile @Nullable RuntimeException ended;

    private TransactionalWriter(String source, Producer<byte[], byte[]> producer, LedgerListener listener) {
      this.source = source;
      this.producer = producer;
      this.listener = listener;
    }

    /** @throws LedgerFailure if no producer can be created, for example because no broker's name can be resolved */
    static TransactionalWriter open(LedgerSettings settings, ProducerFactory producers, LedgerListener listener) {
      try {
        var producer = producers.create(settings.producerConfig());
        listener.producerCreated(producer);
        return new TransactionalWriter(settings.source(), producer, listener);
      } catch (RuntimeException e) {
        throw LedgerFailure.of(settings.source(), "reach Kafka", e);
      }
    }

    /** Fences every other writer of the source. Kafka aborts the open transactions of the fenced writers. */
    void fenceOthers() {
      producer.initTransactions();
    }

    /** Commits records in one transaction, all with the given timestamp. Returns the positions of the records. */
    List<RecordMetadata> write(Instant stamp, List<PendingRecord> pending) {
      checkOpen();
      var begun = System.nanoTime();
      producer.beginTransaction();
      var sent = new ArrayList<Future<RecordMetadata>>(pending.size());
      try {
        pending.forEach(record -> {
          sent.add(producer.send(record.stamped(stamp)));
          checkQueued(sent.getLast());
        });
        producer.commitTransaction();
      } catch (RuntimeException e) {
        throw inTopic(e, sent, pending);
      }
      listener.committed(pending.size(), Duration.ofNanos(System.nanoTime() - begun));
      return sent.stream().map(Future::resultNow).toList();
    }

    /**
     * Throws if sending the record has already failed, for example by a timeout because its topic is unknown. Without
     * this check, every further record would be sent and would time out too.
     */
    private static void checkQueued(Future<?> record) {
      if (record.isDone() && record.state() == Future.State.FAILED) {
        throw new KafkaException(record.exceptionNow());
      }
    }

    /**
     * Adds the topic's name to a failure that a missing topic caused, since Kafka's own exception may not name the
     * topic.
     */
    private static RuntimeException inTopic(
        RuntimeException failure, List<Future<RecordMetadata>> sent, List<PendingRecord> pending) {
      return IntStream.range(0, sent.size())
          .filter(each -> sent.get(each).isDone() && sent.get(each).state() == Future.State.FAILED
              && LedgerFailure.isTopicMissing(sent.get(each).exceptionNow()))
          .mapToObj(each -> (RuntimeException) new KafkaException("topic " + pending.get(each).topic(), failure))
          .findFirst()
          .orElse(failure);
    }

    private void checkOpen() {
      if (ended != null) {
        throw ended;
      }
    }

    /**
     * Converts a failure into a {@link LedgerFailure}. The first call also ends this writer and closes its producer.
     * Call this method for every failure, since {@link #write} does not call it.
     */
    LedgerFailure fail(String doing, RuntimeException cause) {
      var failure = LedgerFailure.of(source, doing, cause);
      if (ended == null) {
        ended = failure;
        producer.close(Duration.ZERO);
      }
      return failure;
    }

    void close() {
      if (ended == null) {
        ended = new IllegalStateException("source %s: its ledger is closed".formatted(source));
        producer.close(CLOSE_TIMEOUT);
      }
    }
  }
}
