package io.tidemark.change;

import static io.tidemark.change.ManualSource.POOL;
import static io.tidemark.change.ManualSource.TRENDING;
import static io.tidemark.change.ManualSource.created;
import static io.tidemark.change.ManualSource.priced;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.Holding;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingPosition;
import io.tidemark.event.Origin;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolChange;
import io.tidemark.event.TargetState;
import io.tidemark.event.Treasury;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.Query;
import io.tidemark.market.TreasuryAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/** Looks that showed nothing, or only a part: what they did not show was not seen. */
class FailedSnapshotsTest {
  private static final Query.PublicTreasury TREASURY = new Query.PublicTreasury("acme", Set.of(), Set.of());
  private static final Observation<Pool> A = old("eth_0xa");
  private static final Observation<Pool> B = old("eth_0xb");
  private static final Observation<Pool> C = old("eth_0xc");

  private final ManualSource watching = new ManualSource(PublishSettings.MATERIAL);

  @Test
  void serviceDown_whatItShowedGoesOutOfSight_andTheNextChangeBeginsAtTheLastLookThatSaw() {
    watching.pool(priced("1.00"));
    watching.pool(priced("1.00"));
    Instant observed = watching.now;
    fail(POOL, 10, Duration.ofMinutes(3));

    Instant due = due("pool", "eth_0xa");
    assertThat(due).isEqualTo(observed.plus(Duration.ofMinutes(15)));
    PoolChange out = (PoolChange) expire("pool", "eth_0xa", due);
    assertThat(out.getVisibility().getLastObservedAt()).isEqualTo(observed);
    PoolChange back = change(watching.pool(priced("0.80")));
    assertThat(back.getVisibility().getVisible()).isTrue();
    assertThat(back.getPrice().getBeforeObservedAt()).isEqualTo(observed);
    assertThat(back.getOrigin().getPreviousObservedAt()).isEqualTo(observed);
  }

  @Test
  void failedLook_saysWhenItWasTriedAndWhenTheTargetWasObserved() {
    watching.pool(priced("1.00"));
    Instant observed = watching.now;
    fail(POOL, 2, Duration.ofMinutes(3));

    TargetState state = watching.known.targetState(ManualSource.nameOf(POOL));
    assertThat(state.getComplete()).isFalse();
    assertThat(state.getSnapshot()).isEqualTo(3);
    assertThat(state.getObservedAt()).isEqualTo(observed);
    assertThat(state.getAttemptedAt()).isEqualTo(watching.now);
  }

  @Test
  void laterPageFails_onlyWhatTheFirstShowedIsObserved() {
    pages(List.of(A), List.of(B));
    Instant observed = watching.now;
    for (int i = 0; i < 10; i++) {
      firstPageOnly(List.of(A), down());
    }

    assertThat(due("pool", "eth_0xa")).isEqualTo(watching.now.plus(Duration.ofMinutes(15)));
    assertThat(due("pool", "eth_0xb")).isEqualTo(observed.plus(Duration.ofMinutes(15)));
  }

  @Test
  void laterPageIsNoAnswer_whatTheFirstShowedIsNews_andTheLaterIsKeptAside() {
    pages(List.of(A), List.of(B));
    ChangeSet outcome = firstPageOnly(List.of(A, C), noAnswer());

    assertThat(changeOf("eth_0xc").getAppeared().getKind()).isEqualTo("found");
    assertThat(outcome.targetState().getComplete()).isFalse();
    assertThat(outcome.deadLetters()).singleElement().satisfies(letter -> {
      assertThat(letter.getPage()).isEqualTo(2);
      assertThat(letter.getReason()).isEqualTo("cut short");
    });
  }

  @Test
  void treasuryNotFound_itsHoldingsGoOutOfSight() {
    watching.poll(TREASURY, treasury("bitcoin", "ethereum"));
    Instant observed = watching.now;
    for (int i = 0; i < 10; i++) {
      watching.now = watching.now.plus(Duration.ofMinutes(3));
      watching.notFound(TREASURY);
    }

    Instant due = due("holding", "acme/ethereum");
    assertThat(due).isEqualTo(observed.plus(Duration.ofMinutes(15)));
    assertThat(((HoldingChange) expire("holding", "acme/ethereum", due)).getVisibility().getLastObservedAt())
        .isEqualTo(observed);
  }

  @Test
  void poolNotFoundForAMonth_isForgotten() {
    watching.pool(priced("1.00"));
    watching.notFound(POOL);
    watching.notFound(POOL);
    Instant left = watching.now;
    for (int day = 0; day < 31; day++) {
      watching.now = watching.now.plus(Duration.ofDays(1));
      watching.notFound(POOL);
    }

    assertThat(due("pool", "eth_0xa")).isEqualTo(left.plus(Duration.ofDays(30)));
  }

  @Test
  void firstLookFailed_theNextIsTheBaseline() {
    fail(TREASURY, 1, Duration.ofMinutes(3));
    ChangeSet outcome = watching.poll(TREASURY, treasury("bitcoin", "ethereum"));

    assertThat(outcome.updates()).hasSize(3).allSatisfy(entry -> {
      assertThat(part(entry.change(), "appeared")).isNull();
      assertThat(((Origin) part(entry.change(), "origin")).getBaseline()).isTrue();
      assertThat(((Origin) part(entry.change(), "origin")).getPreviousObservedAt()).isNull();
    });
  }

  @Test
  void pageNotObservedBefore_isBaseline_butNotTheOneThatWas() {
    firstPageOnly(List.of(A), down());
    pages(List.of(A, C), List.of(B));

    assertThat(changeOf("eth_0xb").getOrigin().getBaseline()).isTrue();
    assertThat(changeOf("eth_0xb").getAppeared()).isNull();
    assertThat(changeOf("eth_0xc").getAppeared().getKind()).isEqualTo("found");
  }

  private void fail(Query<?> query, int times, Duration apart) {
    for (int i = 0; i < times; i++) {
      watching.now = watching.now.plus(apart);
      watching.snapshot(query, List.of(), down());
    }
  }

  private void pages(List<Observation<Pool>> first, List<Observation<Pool>> second) {
    watching.now = watching.now.plus(Duration.ofMinutes(3));
    watching.snapshot(
        TRENDING,
        List.of(
            watching.answer(TRENDING, new OnChainAnswer<>(first, null), watching.now),
            watching.answer(TRENDING.withPage(2), new OnChainAnswer<>(second, null), watching.now)),
        null);
  }

  private ChangeSet firstPageOnly(List<Observation<Pool>> first, Failure failure) {
    watching.now = watching.now.plus(Duration.ofMinutes(3));
    var answer = watching.answer(TRENDING, new OnChainAnswer<>(first, null), watching.now);
    return watching.snapshot(TRENDING, List.of(answer), failure);
  }

  private static Observation<Pool> old(String id) {
    return created(id, "2026-01-01T00:00:00Z");
  }

  private Instant due(String resource, String key) {
    return watching.detection().nextDeadline(resource, watching.known.find(resource, key), watching.known,
        watching.now);
  }

  private SpecificRecord expire(String resource, String key, Instant at) {
    ResourceUpdate entry =
        watching.detection().onDeadline(resource, watching.known.find(resource, key), watching.known, at);
    watching.known.apply(entry);
    return entry.change();
  }

  private static PoolChange change(ChangeSet outcome) {
    return (PoolChange) outcome.updates().get(0).change();
  }

  private PoolChange changeOf(String pool) {
    return watching.known.changes.stream()
        .filter(PoolChange.class::isInstance)
        .map(PoolChange.class::cast)
        .filter(change -> change.getId().equals(pool))
        .reduce((one, later) -> later)
        .orElseThrow();
  }

  private static Object part(SpecificRecord change, String name) {
    return change.get(change.getSchema().getField(name).pos());
  }

  private static TreasuryAnswer treasury(String... coins) {
    return new TreasuryAnswer(
        Observation.of(Treasury.newBuilder().setId("acme").build()),
        Arrays.stream(coins).map(FailedSnapshotsTest::holding).toList());
  }

  private static Observation<Holding> holding(String coin) {
    Holding holding = Holding.newBuilder().setEntity("acme").setCoinId(coin).build();
    holding.setPosition(HoldingPosition.newBuilder().setAmount(1.0).build());
    return Observation.of(holding);
  }

  private static Failure down() {
    return new Failure.ServerError("500");
  }

  private static Failure noAnswer() {
    return new Failure.Unreadable("cut short", "{\"data\":[".getBytes(UTF_8), 200, Map.of());
  }
}
