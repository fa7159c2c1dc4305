package io.tidemark.capture.ledger;

import static io.tidemark.capture.ledger.PoolOutcomes.outcome;
import static io.tidemark.capture.ledger.PoolOutcomes.priced;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.ledger.TransactionBuffer.LedgerRecords;
import io.tidemark.capture.ledger.TransactionBuffer.PendingRecord;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.PoolAbout;
import io.tidemark.event.PoolListing;
import io.tidemark.event.PoolState;
import io.tidemark.event.Ranking;
import io.tidemark.event.RankingAbout;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingOrder;
import io.tidemark.event.RankingState;
import io.tidemark.event.TargetMembers;
import io.tidemark.kafka.RecordLimits;
import io.tidemark.kafka.RecordedTraces;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import io.tidemark.kafka.registry.BuiltInRegistry;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TransactionBufferTest {

  static final int LARGEST = RecordLimits.RECORD;
  static final String HUGE = "9".repeat(LARGEST);
  static final Topics TOPICS = new Topics("t.", Retention.DEFAULT);
  static final BuiltInRegistry REGISTRY = new BuiltInRegistry(TOPICS.all());

  final ResourceStateStore store = new ResourceStateStore(TOPICS, REGISTRY, null);
  final TransactionBuffer buffer = new TransactionBuffer(new LedgerRecords(TOPICS, REGISTRY, Traces.OFF), store);

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void resourceTooLarge_staysAsItWas() {
    buffer.append(outcome(priced(store, "a", "1")));

    buffer.append(outcome(priced(store, "a", HUGE)));

    assertThat(((PoolState) store.find("pool", "a")).getRevision()).isEqualTo(1);
  }

  @Test
  void tracedChange_namesTheCommitOfItsSnapshot() {
    var update = priced(store, "a", "1");
    var origin = PoolOutcomes.origin();
    var poll = TraceParent.ofPoll(origin.getSource(), origin.getTarget(), origin.getObservedAt(), 1);

    var record = new LedgerRecords(TOPICS, REGISTRY, new RecordedTraces()).change(update, update.change());

    assertThat(record.headers()).containsOnlyKeys("id", "facets", "traceparent");
    assertThat(new String(record.headers().get("traceparent"), UTF_8)).isEqualTo(poll.child("commit").text());
  }

  @Test
  void resourceTooLarge_isNotAccepted() {
    var accepted = buffer.append(outcome(priced(store, "a", "1"), priced(store, "b", HUGE)));

    assertThat(accepted.updates()).extracting(ResourceUpdate::key).containsExactly("a");
    assertThat(accepted.deadLetters()).hasSize(1);
  }

  @Test
  void stateTooLarge_takesItsChangeAlong() {
    var small = priced(store, "a", "1");
    var state = (PoolState) small.state();
    state.setMemory(ByteBuffer.allocate(LARGEST));

    buffer.append(outcome(new ResourceUpdate("pool", "a", small.change(), state)));

    assertThat(topics()).containsExactly("t.target.state", "t.dead-letters");
  }

  @Test
  void laterChangeInTheTransaction_isDroppedToo() {
    buffer.append(outcome(priced(store, "a", HUGE)));

    buffer.append(outcome(priced(store, "a", "1")));

    assertThat(store.find("pool", "a")).isNull();
  }

  @Test
  void nextTransaction_takesTheResourceAgain() {
    buffer.append(outcome(priced(store, "a", HUGE)));
    buffer.clear();

    buffer.append(outcome(priced(store, "a", "1")));

    assertThat(((PoolState) store.find("pool", "a")).getRevision()).isEqualTo(1);
  }

  @Test
  void ranking_waitsForNoRevisionThatWasDropped() {
    buffer.append(outcome(priced(store, "a", "1"), priced(store, "b", "1")));
    buffer.clear();

    buffer.append(outcome(priced(store, "a", HUGE), priced(store, "b", "2"), ranking("eth/new", "a", "b", "c")));

    assertThat(((RankingState) store.find("ranking", "eth/new")).getKnown().getOrder().getRevisions())
        .containsExactly(1L, 2L, 2L);
  }

  @Test
  void listingsOfARankingTooLarge_areDroppedToo() {
    var huge = ranking(HUGE);
    var listings = List.of(listing("a", HUGE), listing("a", "eth/new"));

    var accepted = buffer.append(new ChangeSet(PoolOutcomes.target(1), List.of(), List.of(huge), listings, List.of()));

    assertThat(accepted.listings()).extracting(PoolListing::getList).containsExactly("eth/new");
  }

  @Test
  void pageTooLarge_isDropped() {
    var pages = List.of(new TargetMembers(PoolOutcomes.TARGET, 1, List.of(HUGE), null));

    var accepted = buffer.append(new ChangeSet(PoolOutcomes.target(1), pages, List.of(), List.of(), List.of()));

    assertThat(accepted.members()).isEmpty();
    assertThat(store.members(PoolOutcomes.TARGET)).isEmpty();
  }

  @Test
  void deadLetterTooLarge_losesItsBody() {
    var deadLetter =
        DeadLetter.newBuilder()
            .setTarget(PoolOutcomes.TARGET).setReason("x\n" + HUGE).setBody(ByteBuffer.allocate(LARGEST))
            .setHeaders(Map.of())
            .build();

    buffer.append(new ChangeSet(PoolOutcomes.target(1), List.of(), List.of(), List.of(), List.of(deadLetter)));

    var record = buffer.pending().getLast();
    assertThat(record.size()).isLessThan(LARGEST);
    assertThat(new String(record.headers().get("reason"), UTF_8)).startsWith("x\uFFFD9").hasSize(500);
  }

  @Test
  void dueUpdateTooLarge_isReportedToTheCaller() {
    assertThat(buffer.append(priced(store, "a", HUGE), PoolOutcomes.origin())).isFalse();
    assertThat(topics()).containsExactly("t.dead-letters");
  }

  private List<String> topics() {
    return buffer.pending().stream().map(PendingRecord::topic).toList();
  }

  /** Names revision 2 of each. */
  private static ResourceUpdate ranking(String id, String... pools) {
    var order = RankingOrder.newBuilder().setEntries(List.of(pools))
        .setRevisions(List.of(pools).stream().map(pool -> 2L).toList()).build();
    var change =
        RankingChange.newBuilder()
            .setId(id).setOrigin(PoolOutcomes.origin()).setAbout(RankingAbout.newBuilder().build()).build();
    var known = Ranking.newBuilder().setId(id).setOrder(order).build();
    return new ResourceUpdate("ranking", id, change, RankingState.newBuilder().setKnown(known).build());
  }

  private static PoolListing listing(String pool, String list) {
    return PoolListing.newBuilder()
        .setPool(pool).setList(list).setOrigin(PoolOutcomes.origin()).setAbout(PoolAbout.newBuilder().build())
        .build();
  }
}
