package io.tidemark.judge;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.tidemark.judge.Anomaly.Kind;
import io.tidemark.judge.Event.Change;
import io.tidemark.judge.Event.Content;
import io.tidemark.judge.Event.End;
import io.tidemark.judge.Event.Facet;
import io.tidemark.judge.Event.Place;
import io.tidemark.judge.Event.Position;
import io.tidemark.judge.Event.Snapshot;
import io.tidemark.judge.Event.State;
import io.tidemark.judge.Event.Transaction;
import io.tidemark.judge.Event.Version;
import io.tidemark.judge.LogReader.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** Histories made by hand, each with one anomaly: the judge names it. */
class JudgeTest {

  static final String TARGET = "/pools";
  static final String POOL = "eth_0x1";
  static final long BEGAN = 5;

  /** Two transactions of one ledger: a pool with the value 10 and then 20. */
  final List<Event> log = new ArrayList<>();
  final List<Read> read = new ArrayList<>();
  final List<Map<Place, Long>> replicas = new ArrayList<>();

  JudgeTest() {
    transaction(1, End.COMMITTED, 0, position(1), new Snapshot(1), change(1, 0, 10), state(1, 10));
    transaction(2, End.COMMITTED, 1, position(1), new Snapshot(2), change(2, 10, 20), state(2, 20));
    log.forEach(event -> read.add(new Read(event.place(), event.checksum())));
  }

  @Test
  void history_withoutAnomaly() {
    assertThat(verdict()).isEmpty();
  }

  @Test
  void recordWasRead_isGone() {
    log.removeAll(log.subList(4, 8));

    assertThat(verdict()).containsOnly(Kind.LOST_WRITE);
  }

  @Test
  void recordWasRead_isAnotherNow() {
    read.set(3, new Read(read.get(3).place(), 17));

    assertThat(verdict()).containsOnly(Kind.LOST_WRITE);
  }

  @Test
  void transactionWasAcknowledged_logIsShorter() {
    transaction(3, End.COMMITTED, 2, new Position(1, Map.of(new TopicPartition("tidemark.pool.state", 0), 9L)));

    assertThat(verdict()).containsOnly(Kind.LOST_WRITE);
  }

  @Test
  void revisionIsMissing() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(3),
        new Change("other", new Version(BEGAN, 4), TARGET, 3, Map.of()), state(4, 30));

    assertThat(verdict()).containsOnly(Kind.LOST_WRITE);
  }

  @Test
  void snapshotIsMissing() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(4));

    assertThat(verdict()).containsOnly(Kind.LOST_WRITE);
  }

  @Test
  void replicaLacksARecord() {
    replicas.add(ends());
    replicas.add(Map.of());

    assertThat(verdict()).containsOnly(Kind.LOST_WRITE);
  }

  @Test
  void recordOfAbortedTransaction_wasRead() {
    transaction(3, End.ABORTED, 2, position(1));
    read.add(new Read(log.getLast().place(), log.getLast().checksum()));

    assertThat(verdict()).containsOnly(Kind.ABORTED_READ);
  }

  @Test
  void changeIsBasedOnAnAbortedValue() {
    transaction(3, End.ABORTED, 2, position(1), new Snapshot(3), change(3, 20, 30), state(3, 30));
    transaction(4, End.COMMITTED, 3, position(1), new Snapshot(3), change(3, 30, 40), state(3, 40));

    assertThat(verdict()).containsOnly(Kind.ABORTED_READ);
  }

  @Test
  void changeComesTwice() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(3), change(2, 10, 20), state(2, 20));

    assertThat(verdict()).containsOnly(Kind.DUPLICATE);
  }

  @Test
  void snapshotComesTwice() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(2));

    assertThat(verdict()).containsOnly(Kind.DUPLICATE);
  }

  @Test
  void changeIsWithoutItsState() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(3), change(3, 20, 30));

    assertThat(verdict()).containsOnly(Kind.TORN_TRANSACTION);
  }

  @Test
  void stateDiffersFromItsChange() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(3), change(3, 20, 30), state(3, 31));

    assertThat(verdict()).containsOnly(Kind.TORN_TRANSACTION);
  }

  @Test
  void stateIsWithoutItsChange() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(3), state(3, 30));

    assertThat(verdict()).containsOnly(Kind.TORN_TRANSACTION);
  }

  @Test
  void changeIsWithoutItsSnapshot() {
    transaction(3, End.COMMITTED, 2, position(1), change(3, 20, 30), state(3, 30));

    assertThat(verdict()).containsOnly(Kind.TORN_TRANSACTION);
  }

  @Test
  void transactionIsWithoutPosition() {
    transaction(3, End.COMMITTED, 2, new Snapshot(3));

    assertThat(verdict()).containsOnly(Kind.TORN_TRANSACTION);
  }

  @Test
  void transactionIsCommittedInOnePartition_abortedInAnother() {
    transaction(3, End.COMMITTED, 2, position(1));
    transaction(3, End.ABORTED, 2, new Snapshot(3));

    assertThat(verdict()).containsOnly(Kind.TORN_TRANSACTION);
  }

  @Test
  void transactionNeverEnds() {
    transaction(3, End.OPEN, 2, position(1), new Snapshot(3));

    assertThat(verdict()).containsOnly(Kind.TORN_TRANSACTION);
  }

  @Test
  void partitionsHaveTransactionsInOtherOrders() {
    transaction(4, End.COMMITTED, 2, new Snapshot(3));
    transaction(3, End.COMMITTED, 2, position(1));
    transaction(3, End.COMMITTED, 3, new Snapshot(4));
    transaction(4, End.COMMITTED, 3, position(1));

    assertThat(verdict()).contains(Kind.ORDER);
  }

  @Test
  void earlierRevisionComesLater() {
    transaction(3, End.COMMITTED, 2, position(1), new Snapshot(3), new Change("other", new Version(BEGAN - 1, 1),
        TARGET, 3, Map.of()), new State(new Version(BEGAN - 1, 1), Map.of()));

    assertThat(verdict()).containsOnly(Kind.ORDER);
  }

  @Test
  void earlierSessionWritesAfterALaterOne() {
    transaction(3, End.COMMITTED, 2, position(2));
    transaction(4, End.COMMITTED, 3, position(1));

    assertThat(verdict()).containsOnly(Kind.ORDER);
  }

  /** The judge must not repeat the program's mistakes. */
  @Test
  void judge_sharesNoCodeWithTheProgram() {
    var judge = resideInAPackage("io.tidemark.judge");

    noClasses().that(judge)
        .should().dependOnClassesThat(resideInAPackage("io.tidemark..").and(DescribedPredicate.not(judge)))
        .check(new ClassFileImporter().importPackages("io.tidemark.judge"));
  }

  private Set<Kind> verdict() {
    var after = log.stream().filter(Event::committed).map(each -> new Read(each.place(), each.checksum())).toList();
    return Judge.judge(new History(log, replicas.isEmpty() ? List.of(ends()) : replicas, read, after, List.of()))
        .stream().map(Anomaly::kind).collect(Collectors.toSet());
  }

  private Map<Place, Long> ends() {
    return log.stream().map(Event::place).distinct().collect(toMap(each -> each, Place::offset));
  }

  /** Adds records of a transaction, all with one offset. */
  private void transaction(int epoch, End end, long offset, Content... contents) {
    for (Content content : contents) {
      var place = new Place(new TopicPartition("tidemark." + switch (content) {
        case Position position -> "source.state";
        case Snapshot snapshot -> "target.state";
        case Change change -> "pool.changes";
        default -> "pool.state";
      }, 0), offset);
      var key = content instanceof Position ? "main" : content instanceof Snapshot ? TARGET : POOL;
      log.add(new Event(place, offset, key, 1_000L * log.size(), new Transaction(1, epoch, end), content));
    }
  }

  private static Position position(long session) {
    return new Position(session, Map.of());
  }

  private static Change change(long revision, int before, int after) {
    return new Change("pool.changes/" + POOL + "/" + revision, new Version(BEGAN, revision), TARGET, revision,
        Map.of("price", new Facet(before, after)));
  }

  private static State state(long revision, int value) {
    return new State(new Version(BEGAN, revision), Map.of("price", value));
  }
}
