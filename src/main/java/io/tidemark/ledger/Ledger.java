package io.tidemark.ledger;

import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.event.Control;
import io.tidemark.event.Origin;
import io.tidemark.event.SourceState;
import io.tidemark.event.Watch;
import io.tidemark.topic.Registry;
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
  private final Records records;
  private final LedgerClock clock;
  private final Store store;
  private final Intake intake;
  private final Standing standing;
  private final Life life;

  private Ledger(
      LedgerSettings settings, Records records, LedgerClock clock, Store store, Standing standing, Life life) {
    this.settings = settings;
    this.records = records;
    this.clock = clock;
    this.store = store;
    this.intake = new Intake(records, store, settings.largestRecord());
    this.standing = standing;
    this.life = life;
  }

  /**
   * Fences any other writer of the source, restores what is committed, and says who writes now. The source's topics
   * exist.
   *
   * @throws LedgerFailure if that cannot be done; {@link LedgerFailure.Refused} before anyone is fenced
   */
  public static Ledger start(
      LedgerSettings settings,
      Registry registry,
      Producers producers,
      InstantSource time,
      Progress progress,
      Commits commits) {
    var store = new Store(settings.topics(), registry, settings.localStore());
    try {
      var life = Life.of(settings, producers, commits);
      return start(settings, registry, life, new LedgerClock(time), store, progress);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private static Ledger start(
      LedgerSettings settings, Registry registry, Life life, LedgerClock clock, Store store, Progress progress) {
    try {
      var records = new Records(settings.topics(), registry);
      var takeover = new Takeover(settings, registry, clock, store);
      takeover.check();
      life.begin();
      takeover.check();
      var standing = new Standing(settings, registry.identity(), takeover.before(records), clock.stamp());
      var ledger = new Ledger(settings, records, clock, store, standing, life);
      ledger.commit();
      takeover.restore(progress);
      return ledger;
    } catch (RuntimeException e) {
      throw life.end("start", e);
    }
  }

  /** With nobody who wants to hear of its commits. */
  public static Ledger start(
      LedgerSettings settings, Registry registry, Producers producers, InstantSource time, Progress progress) {
    return start(settings, registry, producers, time, progress, Commits.UNHEARD);
  }

  /** What is known, with all that was taken. */
  public Store states() {
    return store;
  }

  /**
   * Takes what a sweep came to: known at once, in Kafka with the next commit.
   *
   * @return the outcome without the resources whose records are too large, with dead letters instead; what is known of
   *     them stays as it was, so that their next change has the revision that was not used
   */
  public Outcome take(Outcome outcome) {
    life.alive();
    try {
      return intake.take(outcome);
    } catch (RuntimeException e) {
      throw life.end("take what a sweep came to", e);
    }
  }

  /**
   * Takes what became due without a sweep, such as a change that was held back.
   *
   * @param origin the look that saw it
   * @return whether it is not left out for its size
   */
  public boolean take(Entry entry, Origin origin) {
    life.alive();
    try {
      return intake.take(entry, Provenance.of(origin));
    } catch (RuntimeException e) {
      throw life.end("take what was due", e);
    }
  }

  /** Takes a word of the command line: in Kafka with what was taken before it, or not at all. */
  public void take(Watch word) {
    life.alive();
    try {
      intake.take(word);
    } catch (RuntimeException e) {
      throw life.end("take a word of the command line", e);
    }
  }

  /** Commits what was taken, in one transaction. */
  public void commit() {
    life.alive();
    if (!intake.waiting().isEmpty() || standing.unwritten()) {
      write("commit", clock.stamp(), intake::waiting);
      intake.clear();
    }
  }

  /** Takes and commits. */
  public void commit(List<Outcome> outcomes) {
    outcomes.forEach(this::take);
    commit();
  }

  /** Says to every partition what time it is, in a transaction of its own: no later record is stamped at or below. */
  public Instant tick() {
    life.alive();
    var now = clock.tick();
    standing.touch();
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
    life.alive();
    var now = clock.stamp();
    var word = Control.newBuilder().setKind(kind).setAt(now).setVersion(version).setText(text).build();
    write("announce " + kind, now, () -> announced(word));
  }

  private List<Draft> announced(Control word) {
    var said = Watch.newBuilder()
        .setKind(IN_FORCE)
        .setName(word.getKind())
        .setText(word.getText())
        .setWho(settings.owner())
        .setAt(word.getAt())
        .build();
    var drafts = new ArrayList<>(control(word));
    drafts.add(records.word(said));
    return drafts;
  }

  /** What is said of the source: a copy. */
  public SourceState source() {
    return standing.copy();
  }

  /** Changes what is said of the source; written with the next transaction. Source, owner and clock stay. */
  public void update(UnaryOperator<SourceState> change) {
    life.alive();
    standing.update(change);
  }

  /** Changes what is said of the source, at once; commits what was taken, too. */
  public void updateNow(UnaryOperator<SourceState> change) {
    update(change);
    commit();
  }

  /** Leaves the source to the next: what was taken and not committed is forgotten. */
  @Override
  public void close() {
    life.close();
    store.close();
  }

  private List<Draft> control(Control word) {
    word.setPartitions(settings.layout().partitions());
    return records.control(word, word.getPartitions());
  }

  /** The source's own state goes with the transaction when there is news of it. */
  private void write(String doing, Instant stamp, Supplier<List<Draft>> drafts) {
    try {
      var all = new ArrayList<>(drafts.get());
      if (standing.unwritten()) {
        all.add(records.source(standing.at(stamp)));
      }
      life.write(stamp, all);
      standing.written();
    } catch (RuntimeException e) {
      throw life.end(doing, e);
    }
  }
}
