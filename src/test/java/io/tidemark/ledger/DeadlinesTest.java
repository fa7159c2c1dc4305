package io.tidemark.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.Detection;
import io.tidemark.change.Entry;
import io.tidemark.change.Outcome;
import io.tidemark.change.Worth;
import io.tidemark.event.EventClasses;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.Sight;
import io.tidemark.event.Windows;
import io.tidemark.market.Answer;
import io.tidemark.market.Body;
import io.tidemark.market.OnChain;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.market.Sweep;
import io.tidemark.market.Target;
import io.tidemark.topic.BuiltInRegistry;
import io.tidemark.topic.Retention;
import io.tidemark.topic.Topics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);
  private static final Query.PoolByAddress POOL = new Query.PoolByAddress("eth", "0xa", Set.of(), false, false);

  static {
    EventClasses.trust();
  }

  private final Topics topics = new Topics("test.", Retention.DEFAULT);
  private final Store store = new Store(topics, new BuiltInRegistry(topics.all()));
  private final Store restarted = new Store(topics, new BuiltInRegistry(topics.all()));
  private final Detection detection = new Detection(Worth.MATERIAL, MONTH, MONTH, START, START);
  private final Deadlines deadlines = deadlines(store);

  @AfterEach
  void close() {
    store.close();
    restarted.close();
  }

  @Test
  void windowsHeldBack_comeWhenTheyAreDueAndOnce() {
    look("1", START);
    look("2", START.plusSeconds(60));

    assertThat(deadlines.poll(START.plusSeconds(299))).isNull();
    assertThat(change(deadlines.poll(START.plusSeconds(300))).getActivity()).isNotNull();
    assertThat(deadlines.poll(START.plusSeconds(300))).isNull();
  }

  @Test
  void targetNotLookedAtAnyMore_itsPoolIsOutOfSight() {
    look("1", START);

    assertThat(deadlines.poll(START.plus(Duration.ofMinutes(15)).minusMillis(1))).isNull();
    assertThat(change(deadlines.poll(START.plus(Duration.ofMinutes(15)))).getSight())
        .isEqualTo(new Sight(false, START));
  }

  @Test
  void targetLookedAt_itsPoolStaysInSight() {
    for (int minute = 0; minute <= 20; minute++) {
      look("1", START.plus(Duration.ofMinutes(minute)));
    }
    assertThat(deadlines.poll(START.plus(Duration.ofMinutes(20)))).isNull();
  }

  @Test
  void afterARestart_whatWasHeldBackIsStillDue() {
    look("1", START);
    look("2", START.plusSeconds(60));

    store.forEach("pool", (key, state) -> restarted.apply(new Entry("pool", key, null, state)));

    var after = deadlines(restarted);
    after.readOn(START.plusSeconds(60));

    assertThat(change(after.poll(START.plusSeconds(300))).getRevision()).isEqualTo(2);
  }

  @Test
  void afterARestartWithVeryMany_theyAreTakenUpInPortions() {
    look("1", START);
    store.forEach("pool", (key, state) -> IntStream.range(0, 6_000).mapToObj(number -> named("eth_0x" + number, state))
        .forEach(restarted::apply));

    var taken = deadlines(restarted);
    var later = START.plus(Duration.ofHours(1));
    assertThat(taken.readOn(START)).isTrue();
    assertThat(dueBy(later, taken)).as("taken up at first").isEqualTo(5_000);
    assertThat(taken.readOn(START)).isFalse();
    assertThat(dueBy(later, taken)).as("taken up since").isEqualTo(1_000);
  }

  private static Entry named(String id, SpecificRecord state) {
    var other = PoolState.newBuilder((PoolState) state).build();
    other.getKnown().setId(id);
    return new Entry("pool", id, null, other);
  }

  private static int dueBy(Instant now, Deadlines deadlines) {
    int due = 0;
    while (deadlines.poll(now) != null) {
      due++;
    }
    return due;
  }

  private Deadlines deadlines(Store store) {
    return new Deadlines(detection, store, List.of("pool"));
  }

  private static PoolChange change(Entry entry) {
    return (PoolChange) entry.change();
  }

  private void look(String volume, Instant now) {
    Pool pool = Pool.newBuilder().setId("eth_0xa").setNetwork("eth").setAddress("0xa").build();
    pool.setActivity(PoolActivity.newBuilder().setVolumeUsd(Windows.newBuilder().setM5(volume).build()).build());
    OnChain<Seen<Pool>> body = new OnChain<>(Seen.of(pool), null);
    Answer<?> answer = new Answer<>(POOL, Body.of(body), volume, now, now, now, null, null);
    Target target = new Target("main", "/networks/eth/pools/0xa", POOL, 1);
    Outcome outcome = detection.detect(new Sweep(target, List.of(answer), true, null, now), store);
    store.apply(outcome);
    deadlines.note(outcome, now);
  }
}
