package io.tidemark.capture.ledger;

import static io.tidemark.capture.ledger.Deadlines.MOST_DUE;
import static io.tidemark.capture.ledger.Deadlines.MOST_FORGOTTEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeDetector;
import io.tidemark.capture.change.ChangeSet;
import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.capture.change.PublishSettings;
import io.tidemark.capture.change.PublishSettings.Threshold;
import io.tidemark.event.AvroSettings;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolActivity;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolState;
import io.tidemark.event.TargetState;
import io.tidemark.event.Visibility;
import io.tidemark.event.Windows;
import io.tidemark.kafka.Retention;
import io.tidemark.kafka.Topics;
import io.tidemark.kafka.registry.BuiltInRegistry;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration MONTH = Duration.ofDays(30);
  private static final String TARGET = "/networks/eth/pools/0xa";
  private static final Query.PoolByAddress POOL = new Query.PoolByAddress("eth", "0xa", Set.of(), false, false);

  static {
    AvroSettings.apply();
  }

  private final Topics topics = new Topics("test.", Retention.DEFAULT);
  private final ResourceStateStore store = new ResourceStateStore(topics, new BuiltInRegistry(topics.all()), null);
  private final ResourceStateStore restarted = new ResourceStateStore(topics, new BuiltInRegistry(topics.all()), null);
  private final ChangeDetector detection = new ChangeDetector(PublishSettings.MATERIAL, MONTH, MONTH, START, START);
  private boolean watched;
  private final Deadlines deadlines = deadlines(store);

  @AfterEach
  void close() {
    store.close();
    restarted.close();
  }

  @Test
  void withheldWindows_comeWhenTheyAreDueAndOnce() {
    snapshot("1", START);
    snapshot("2", START.plusSeconds(60));

    assertThat(deadlines.poll(START.plusSeconds(299))).isNull();
    assertThat(change(deadlines.poll(START.plusSeconds(300))).getActivity()).isNotNull();
    assertThat(deadlines.poll(START.plusSeconds(300))).isNull();
  }

  @Test
  void targetNotPolledAnyMore_itsPoolIsNotVisible() {
    IntStream.range(0, 3).forEach(number -> snapshot("1", START.plusSeconds(number)));
    var last = START.plusSeconds(2);

    assertThat(deadlines.poll(last.plus(Duration.ofMinutes(15)).minusMillis(1))).isNull();
    assertThat(change(deadlines.poll(last.plus(Duration.ofMinutes(15)))).getVisibility())
        .isEqualTo(new Visibility(false, last));
  }

  @Test
  void targetNotPolledAfterItsSecondSnapshot_itsPoolIsNotVisibleAfterADay() {
    snapshot("1", START);
    snapshot("1", START.plusSeconds(5));
    var stale = START.plusSeconds(5).plus(Duration.ofDays(1));

    assertThat(deadlines.poll(stale.minusMillis(1))).isNull();
    assertThat(change(deadlines.poll(stale)).getVisibility()).isEqualTo(new Visibility(false, START.plusSeconds(5)));
  }

  @Test
  void targetNotPolledAnyMore_itsPoolIsNotVisible_longBeforeItsWithheldValuesAreDue() {
    var seldom = new PublishSettings(false, Map.of("pool.activity", new Threshold(0, 0, Duration.ofHours(6))));
    var detector = new ChangeDetector(seldom, MONTH, MONTH, START, START);
    var queued = new Deadlines(detector, store, List.of("pool"), (target, now) -> true);
    snapshot("1", START, detector, queued);
    snapshot("2", START.plusSeconds(50), detector, queued);
    snapshot("2", START.plusSeconds(60), detector, queued);
    var stale = START.plusSeconds(60).plus(Duration.ofMinutes(15));

    assertThat(queued.poll(stale.minusMillis(1))).isNull();
    assertThat(change(queued.poll(stale)).getVisibility()).isEqualTo(new Visibility(false, START.plusSeconds(60)));
  }

  @Test
  void targetPolled_itsPoolStaysVisible() {
    for (int minute = 0; minute <= 20; minute++) {
      snapshot("1", START.plus(Duration.ofMinutes(minute)));
    }
    assertThat(deadlines.poll(START.plus(Duration.ofMinutes(20)))).isNull();
  }

  @Test
  void unwatchedTarget_isForgottenAfterItsRetention_withItsPool() {
    snapshot("1", START);
    var end = START.plus(MONTH);
    var hidden = deadlines.poll(START.plus(Duration.ofDays(1)));
    AppendedStates.append(store, topics, hidden);
    deadlines.note(hidden, START.plus(Duration.ofDays(1)));

    assertThat(forgotten(end.minusMillis(1), deadlines)).isEmpty();
    assertThat(change(deadlines.poll(end)).getRemoved().getReason()).as("its pool").isEqualTo("evicted");
    assertThat(forgotten(end, deadlines)).containsExactly(TARGET);
    assertThat(forgotten(end.plus(MONTH), deadlines)).as("once").isEmpty();
  }

  @Test
  void seldomPolledTarget_isForgottenOnlyOnceItsPoolIsNotVisible() {
    snapshot("1", START);
    snapshot("2", START.plus(Duration.ofDays(20)));
    var stale = START.plus(Duration.ofDays(80));

    assertThat(forgotten(stale.minusMillis(1), deadlines)).isEmpty();
    assertThat(change(deadlines.poll(stale)).getVisibility().getVisible()).isFalse();
    assertThat(forgotten(stale.plusSeconds(2), deadlines)).containsExactly(TARGET);
  }

  /** As after a loss of {@code target.state}. */
  @Test
  void rankingOfAWatchedTargetThatIsNotKnown_isKept() {
    var query = new Query.NewPools("eth", Set.of(), 1, false);
    var list = new Target("main", "/networks/eth/new_pools", query, 1);
    var body = new OnChainAnswer<>(List.of(Observation.of(pool("1"))), null);
    var answer = new Answer<>(query, Body.of(body), "digest", START, START, START, null, null, null);
    detection.detect(new Snapshot(list, List.of(answer), true, null, START, START), store).updates().stream()
        .filter(update -> update.resource().equals("ranking")).forEach(this::restart);
    var after = new Deadlines(detection, restarted, List.of("ranking"), (target, now) -> watched);
    after.readNext(START);
    var later = START.plus(MONTH.multipliedBy(2));

    watched = true;
    assertThat(after.poll(later)).isNull();
    watched = false;
    assertThat(after.poll(later.plus(Duration.ofDays(1))).state()).as("evicted").isNull();
  }

  @Test
  void watchedTargetNotPolled_isKept_untilItIsNotWatched() {
    watched = true;
    snapshot("1", START);
    var later = START.plus(MONTH.multipliedBy(12));
    assertThat(forgotten(later, deadlines)).isEmpty();

    watched = false;
    assertThat(forgotten(later.plus(Duration.ofDays(1)), deadlines)).containsExactly(TARGET);
  }

  @Test
  void targetWatchedAgainBefore_goesOn() {
    snapshot("1", START);
    var again = START.plus(MONTH).minusSeconds(1);
    assertThat(forgotten(again, deadlines)).isEmpty();
    snapshot("2", again);
    var last = again.plusSeconds(60);
    snapshot("3", last);

    assertThat(store.targetState(TARGET).getSnapshot()).isEqualTo(3);
    assertThat(forgotten(START.plus(MONTH), deadlines)).isEmpty();
    assertThat(forgotten(last.plus(MONTH), deadlines)).containsExactly(TARGET);
  }

  @Test
  void targetWatchedAgainWhileItWaits_isKept() {
    snapshot("1", START);
    dueBy(START.plus(MONTH), deadlines);
    watched = true;
    assertThat(deadlines.pollUnwatched(START.plus(MONTH))).isEmpty();

    watched = false;
    assertThat(forgotten(START.plus(MONTH).plus(Duration.ofDays(1)), deadlines)).containsExactly(TARGET);
  }

  @Test
  void afterARestart_targetIsForgottenAtTheSameTime() {
    snapshot("1", START);
    copyTarget();

    var after = deadlines(restarted);
    assertThat(forgotten(START.plus(MONTH).minusMillis(1), after)).isEmpty();
    assertThat(forgotten(START.plus(MONTH), after)).containsExactly(TARGET);
  }

  @Test
  void veryManyTargets_areForgottenInPortions() {
    snapshot("1", START);
    for (var number = 0; number < MOST_FORGOTTEN + 5; number++) {
      AppendedStates.append(restarted, topics,
          new ChangeSet(TargetState.newBuilder(store.targetState(TARGET)).setTarget("/" + number).build(),
              List.of(), List.of(), List.of(), List.of()));
    }

    var after = deadlines(restarted);
    assertThat(forgotten(START.plus(MONTH), after)).hasSize(MOST_FORGOTTEN);
    assertThat(forgotten(START.plus(MONTH), after)).hasSize(5);
  }

  private void restart(ResourceUpdate update) {
    AppendedStates.append(restarted, topics, update);
  }

  private void copyTarget() {
    AppendedStates.append(restarted, topics,
        new ChangeSet(store.targetState(TARGET), store.members(TARGET), List.of(), List.of(), List.of()));
  }

  private static List<String> forgotten(Instant now, Deadlines deadlines) {
    dueBy(now, deadlines);
    return deadlines.pollUnwatched(now);
  }

  @Test
  void afterARestart_withheldValuesAreStillDue() {
    snapshot("1", START);
    snapshot("2", START.plusSeconds(60));

    store.visit("pool", null, Integer.MAX_VALUE,
        (key, state) -> restart(new ResourceUpdate("pool", key, null, state)));

    var after = deadlines(restarted);
    after.readNext(START.plusSeconds(60));

    assertThat(change(after.poll(START.plusSeconds(300))).getRevision()).isEqualTo(2);
  }

  @Test
  void afterARestartWithVeryMany_theyAreScheduledInPortions() {
    snapshot("1", START);
    store.visit("pool", null, Integer.MAX_VALUE,
        (key, state) -> IntStream.range(0, 6_000).mapToObj(number -> named("eth_0x" + number, state))
            .forEach(this::restart));

    var restored = deadlines(restarted);
    var later = START.plus(Duration.ofHours(1));
    assertThat(restored.readNext(START)).isTrue();
    assertThat(dueBy(later, restored)).as("scheduled at first").isEqualTo(5_000);
    assertThat(restored.readNext(START)).isFalse();
    assertThat(dueBy(later, restored)).as("scheduled since").isEqualTo(1_000);
  }

  @Test
  void veryManyDueAtTheSameTime_comeInPortions() {
    snapshot("1", START);
    var state = poolState();
    for (var number = 0; number < 2 * MOST_DUE + 5; number++) {
      restart(named("eth_0x" + number, state));
    }
    var restored = deadlines(restarted);
    while (restored.readNext(START)) {
      // reads all
    }
    var later = START.plus(Duration.ofHours(1));

    assertThat(dueBy(later, restored)).isEqualTo(MOST_DUE);
    assertThat(dueBy(later, restored)).isEqualTo(MOST_DUE);
    assertThat(dueBy(later, restored)).isEqualTo(5);
  }

  @Test
  void targetWhosePoolIsStillDue_isNotForgottenBeforeIt() {
    snapshot("1", START);
    snapshot("2", START.plus(Duration.ofDays(20)));
    var state = poolState();
    restart(new ResourceUpdate("pool", "eth_0xa", null, state));
    copyTarget();
    var after = deadlines(restarted);
    for (var number = 0; number < MOST_DUE - 3; number++) { // then the target, its pool's check, and its retention
      after.note(named("eth_0x" + number, state), START);
    }
    var late = START.plus(Duration.ofDays(90));

    assertThat(forgotten(late, after)).isEmpty();
    assertThat(change(after.poll(late)).getVisibility().getVisible()).isFalse();
    assertThat(forgotten(late, after)).containsExactly(TARGET);
  }

  private SpecificRecord poolState() {
    var states = new ArrayList<SpecificRecord>();
    store.visit("pool", null, Integer.MAX_VALUE, (key, state) -> states.add(state));
    return states.getFirst();
  }

  private static ResourceUpdate named(String id, SpecificRecord state) {
    var other = PoolState.newBuilder((PoolState) state).build();
    other.getKnown().setId(id);
    return new ResourceUpdate("pool", id, null, other);
  }

  private static int dueBy(Instant now, Deadlines deadlines) {
    int due = 0;
    while (deadlines.poll(now) != null) {
      due++;
    }
    return due;
  }

  private Deadlines deadlines(ResourceStateStore store) {
    return new Deadlines(detection, store, List.of("pool"), (target, now) -> watched);
  }

  private static PoolChange change(ResourceUpdate entry) {
    return (PoolChange) entry.change();
  }

  private static Pool pool(String volume) {
    Pool pool = Pool.newBuilder().setId("eth_0xa").setNetwork("eth").setAddress("0xa").build();
    pool.setActivity(PoolActivity.newBuilder().setVolumeUsd(Windows.newBuilder().setM5(volume).build()).build());
    return pool;
  }

  private void snapshot(String volume, Instant now) {
    snapshot(volume, now, detection, deadlines);
  }

  private void snapshot(String volume, Instant now, ChangeDetector detection, Deadlines deadlines) {
    OnChainAnswer<Observation<Pool>> body = new OnChainAnswer<>(Observation.of(pool(volume)), null);
    Answer<?> answer = new Answer<>(POOL, Body.of(body), volume, now, now, now, null, null, null);
    Target target = new Target("main", TARGET, POOL, 1);
    ChangeSet outcome = detection.detect(new Snapshot(target, List.of(answer), true, null, now, now), store);
    AppendedStates.append(store, topics, outcome);
    deadlines.note(outcome, now);
  }
}
