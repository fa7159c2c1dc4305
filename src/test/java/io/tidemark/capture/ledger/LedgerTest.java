package io.tidemark.capture.ledger;

import static io.tidemark.capture.ledger.PoolOutcomes.TARGET;
import static io.tidemark.capture.ledger.PoolOutcomes.outcome;
import static io.tidemark.capture.ledger.PoolOutcomes.priced;
import static io.tidemark.capture.ledger.PoolOutcomes.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.TestSource.Heard;
import io.tidemark.event.Budget;
import io.tidemark.event.Control;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolListing;
import io.tidemark.event.Removed;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.kafka.registry.ConfluentRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {

  static final String POOL = "eth_0xa";
  static final ResourceUpdate FIRST = priced(PoolOutcomes.NOTHING, POOL, "1");
  static final Instant NOVEMBER = Instant.parse("2026-11-01T00:00:00Z");

  final TestSource source = new TestSource();

  @Test
  void outcome_isWrittenWithOneTime() {
    try (var ledger = source.start()) {
      ledger.commit(List.of(full(ledger)));
    }

    var topics = source.topics;
    assertThat(
        List.of(
            source.committed(topics.pool().changes()).getFirst().at(),
            source.committed(topics.pool().state()).getFirst().at(),
            source.committed(topics.poolListing()).getFirst().at(),
            source.committed(topics.targetState()).getFirst().at(),
            source.committed(topics.targetMembers()).getFirst().at()))
        .containsOnly(source.committed(topics.pool().changes()).getFirst().at())
        .hasSize(5);
  }

  @Test
  void change_isNamedByItsHeaders() {
    try (var ledger = source.start()) {
      ledger.commit(List.of(outcome(priced(ledger.states(), POOL, "1"))));
    }

    assertThat(source.committed(source.topics.pool().changes()).getFirst().headers())
        .containsEntry("id",
            "%spool.changes/eth_0xa/%d/1".formatted(source.topics.prefix(), PoolOutcomes.GENERATION.toEpochMilli()))
        .containsEntry("facets", "price")
        .doesNotContainKey("traceparent");
  }

  @Test
  void secondStart_knowsWhatTheFirstCommitted() {
    try (var first = source.start()) {
      first.commit(List.of(full(first)));
    }

    try (var second = source.start()) {
      assertThat(second.states().find("pool", POOL)).isEqualTo(FIRST.state());
      assertThat(second.states().targetState(PoolOutcomes.TARGET)).isEqualTo(PoolOutcomes.target(1));
      assertThat(second.states().members(PoolOutcomes.TARGET)).extracting(TargetMembers::getPage).containsExactly(1, 2);
    }
  }

  @Test
  void restore_reportsItsProgress() {
    try (var first = source.start()) {
      first.commit(List.of(full(first)));
    }
    var reports = new ArrayList<List<Long>>();
    var settings = new LedgerSettings("main", "instance-2", source.topics, TestSource.TWO, TestSource.KAFKA,
        TestSource.OPEN_TRANSACTION_WAIT);
    var progress = new LedgerListener() {
      @Override
      public void restored(long read, long total) {
        reports.add(List.of(read, total));
      }
    };

    Ledger.start(settings, source.registry, ProducerFactory.KAFKA, () -> source.now, progress).close();

    assertThat(reports.getLast().getFirst()).isPositive().isEqualTo(reports.getLast().getLast());
  }

  @Test
  void evictedResource_leavesATombstoneThatSaysWhy() {
    try (var ledger = source.start()) {
      ledger.commit(List.of(outcome(priced(ledger.states(), POOL, "1"))));
      var change = (PoolChange) priced(ledger.states(), POOL, "1").change();
      change.setRemoved(new Removed("not_found"));

      ledger.commit(List.of(outcome(new ResourceUpdate("pool", POOL, change, null))));

      assertThat(ledger.states().find("pool", POOL)).isNull();
    }
    var tombstone = source.committed(source.topics.pool().state()).getLast();
    assertThat(tombstone.value()).isNull();
    assertThat(tombstone.headers())
        .containsEntry("reason", "not_found")
        .containsEntry("last-observed", PoolOutcomes.GENERATION.toString());
  }

  @Test
  void forgottenTarget_leavesTombstones_andARestartKnowsNothingOfIt() {
    var pages = List.of(new TargetMembers(TARGET, 1, List.of(POOL), null),
        new TargetMembers(TARGET, 2, List.of("eth_0xb"), null));
    try (var ledger = source.start()) {
      ledger.commit(List.of(new ChangeSet(target(7), pages, List.of(FIRST), List.of(), List.of())));
      ledger.forget(TARGET);
      assertThat(ledger.states().targetState(TARGET)).isNull();
      assertThat(source.committed(source.topics.targetState())).as("before the commit").hasSize(1);
      ledger.commit();
      ledger.forget(TARGET);
      ledger.commit();
    }
    assertThat(source.committed(source.topics.targetState())).hasSize(2).last().satisfies(tombstone -> {
      assertThat(tombstone.value()).isNull();
      assertThat(tombstone.headers())
          .containsEntry("reason", "unwatched").containsEntry("last-observed", PoolOutcomes.GENERATION.toString());
    });
    assertThat(source.committed(source.topics.targetMembers())).hasSize(4)
        .filteredOn(page -> page.value() == null).hasSize(2)
        .allSatisfy(page -> assertThat(page.headers()).containsEntry("reason", "unwatched"));

    try (var restarted = source.start()) {
      assertThat(restarted.states().targetState(TARGET)).isNull();
      assertThat(restarted.states().members(TARGET)).isEmpty();
      assertThat(restarted.states().targetsWithMember(POOL)).isEmpty();
      assertThat(restarted.states().find("pool", POOL)).as("what it showed is evicted by itself").isNotNull();
    }
    assertThat(source.committed(source.topics.deadLetters())).isEmpty();
  }

  @Test
  void appendedChanges_areKnownBeforeTheyAreCommitted() {
    try (var ledger = source.start()) {
      ledger.append(outcome(priced(ledger.states(), POOL, "1")));
      ledger.append(outcome(priced(ledger.states(), POOL, "2")));

      ledger.commit();
    }

    assertThat(source.committed(source.topics.pool().changes()))
        .extracting(heard -> heard.value().getRevision())
        .containsExactly(1L, 2L);
  }

  @Test
  void tick_reachesEveryPartition() {
    try (var ledger = source.start()) {
      var tick = ledger.tick();

      var heard = source.committed(source.topics.control());
      assertThat(heard).extracting(Heard::partition).containsExactlyInAnyOrder(0, 1);
      assertThat(heard).allMatch(each -> each.at().equals(tick));
      assertThat(heard).allMatch(each -> each.value().equals(new Control("tick", tick, 0L, null, 2)));
    }
  }

  @Test
  void rules_reachEveryPartition() {
    try (var ledger = source.start()) {
      ledger.announce("rules", 3, "rules: []");
    }

    assertThat(source.committed(source.topics.control()))
        .hasSize(2)
        .allMatch(heard -> heard.value().getText().equals("rules: []") && heard.value().getVersion() == 3);
  }

  @Test
  void clockThatWentBack_neverStampsAtOrBelowTheTick() {
    Instant tick;
    try (var first = source.start()) {
      tick = first.tick();
    }
    source.now = source.start.minus(Duration.ofMinutes(30));

    try (var second = source.start()) {
      second.commit(List.of(outcome(priced(second.states(), POOL, "1"))));
    }

    assertThat(source.committed(source.topics.pool().changes()).getFirst().at()).isAfter(tick);
  }

  @Test
  void fastClock_isSuspected() {
    source.now = Instant.now().plus(Duration.ofHours(3));

    assertThatThrownBy(source::start)
        .isInstanceOf(LedgerFailure.Unexpected.class)
        .hasMessageContaining("clock of this machine");
  }

  @Test
  void clockThatWentBack_neverStampsBelowAChange() {
    try (var first = source.start()) {
      source.now = source.start.plusSeconds(60);
      first.commit(List.of(outcome(priced(first.states(), POOL, "1"))));
    }
    source.now = source.start;

    try (var second = source.start()) {
      second.commit(List.of(outcome(priced(second.states(), POOL, "2"))));
    }

    assertThat(source.committed(source.topics.pool().changes())).extracting(Heard::at).isSorted();
  }

  @Test
  void recordTooLarge_goesToTheDeadLettersAndLeavesNoGap() {
    try (var ledger = source.start()) {
      var hostile = priced(ledger.states(), "eth_0xbad", "9".repeat(2 << 20));
      ledger.commit(List.of(outcome(priced(ledger.states(), POOL, "1"), hostile)));

      ledger.commit(List.of(outcome(priced(ledger.states(), "eth_0xbad", "2"))));
    }

    assertThat(source.committed(source.topics.pool().changes()))
        .extracting(heard -> heard.value().getId() + " " + heard.value().getRevision())
        .containsExactlyInAnyOrder("eth_0xa 1", "eth_0xbad 1");
    var deadLetter = source.committed(source.topics.deadLetters()).getFirst();
    assertThat(deadLetter.headers().get("reason")).contains("pool.changes", "eth_0xbad", "the limit is 1048576");
    assertThat(deadLetter.value().getTarget()).isEqualTo(PoolOutcomes.TARGET);
  }

  @Test
  void secondWriter_fencesTheFirst() {
    try (var first = source.start();
        var second = source.start()) {
      assertThatThrownBy(first::tick)
          .isInstanceOf(LedgerFailure.Fenced.class)
          .hasMessageContaining("source main: cannot tick: another instance is now the owner of the source");
      assertThatThrownBy(first::commit).isInstanceOf(LedgerFailure.Fenced.class);
      second.tick();
    }
  }

  @Test
  void otherRegistry_isRefusedBeforeAnyoneIsFenced() {
    var other = new ConfluentRegistry(URI.create("http://127.0.0.1:1"), null, HttpClient.newHttpClient());
    try (var running = source.start()) {
      assertThatThrownBy(() -> source.start("main", other, ProducerFactory.KAFKA))
          .isInstanceOf(LedgerFailure.Refused.class)
          .hasMessageContaining("'built-in'")
          .hasMessageContaining("registry.url");
      running.tick();
    }
  }

  @Test
  void prefixOfAnotherSource_isRefused() {
    source.start().close();

    assertThatThrownBy(() -> source.start("other", source.registry, ProducerFactory.KAFKA))
        .isInstanceOf(LedgerFailure.Refused.class)
        .hasMessageContaining("the prefix " + source.topics.prefix() + " belongs to the source main");
  }

  @Test
  void reservedCalls_areSpentForTheNextOwner() {
    try (var first = source.start()) {
      var budget = Budget.newBuilder().setMonth(NOVEMBER).setReserved(150).build();
      first.commitSourceState(state -> SourceState.newBuilder(state).setBudget(budget).build());
    }

    try (var second = source.start()) {
      assertThat(second.sourceState().getBudget().getReserved()).isEqualTo(150);
    }
  }

  @Test
  void watchingSince_staysThatOfTheFirstStart() {
    source.start().close();
    source.now = source.now.plusSeconds(3600);

    try (var second = source.start()) {
      assertThat(second.sourceState().getWatchingSince()).isEqualTo(source.start);
      assertThat(second.sourceState().getStartedAt()).isEqualTo(source.now);
    }
  }

  @Test
  void sourceState_isWrittenAtOnce() {
    try (var ledger = source.start()) {
      ledger
          .commitSourceState(state -> SourceState.newBuilder(state).setStatus("polling").setOwner("impostor").build());
    }

    var newest = source.committed(source.topics.sourceState()).getLast();
    assertThat(newest.value().getStatus()).isEqualTo("polling");
    assertThat(newest.value().getOwner()).isEqualTo("instance-1");
    assertThat(newest.value().getClock()).isEqualTo(newest.at());
  }

  @Test
  void closedLedger_fails() {
    var ledger = source.start();
    ledger.close();

    assertThatThrownBy(ledger::tick).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
  }

  private static ChangeSet full(Ledger ledger) {
    var listing =
        PoolListing.newBuilder()
            .setPool(POOL).setList("eth/new").setOrigin(PoolOutcomes.origin()).setAbout(PoolAbout.newBuilder().build())
            .build();
    return new ChangeSet(
        PoolOutcomes.target(1),
        List.of(new TargetMembers(PoolOutcomes.TARGET, 2, List.of(), null),
            new TargetMembers(PoolOutcomes.TARGET, 1, List.of(POOL), null)),
        List.of(priced(ledger.states(), POOL, "1")),
        List.of(listing),
        List.of());
  }
}
