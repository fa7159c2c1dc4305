package io.tidemark.capture.change;

import static io.tidemark.capture.change.ManualSource.POOL;
import static io.tidemark.capture.change.ManualSource.TRENDING;
import static io.tidemark.capture.change.ManualSource.created;
import static io.tidemark.capture.change.ManualSource.priced;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.Holding;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingPosition;
import io.tidemark.event.Origin;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolChange;
import io.tidemark.event.Rejection;
import io.tidemark.event.TargetState;
import io.tidemark.event.Token;
import io.tidemark.event.Treasury;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Snapshot;
import io.tidemark.market.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Snapshots that show nothing, or only a part: what they do not show was not observed. */
class FailedSnapshotsTest {
  private static final Query.PublicTreasury TREASURY = new Query.PublicTreasury("acme", Set.of(), Set.of());
  private static final Query.TokenByAddress TOKEN = new Query.TokenByAddress("eth", "0xt", true, false, false);
  private static final Observation<Pool> A = old("eth_0xa");
  private static final Observation<Pool> B = old("eth_0xb");
  private static final Observation<Pool> C = old("eth_0xc");

  private final ManualSource source = new ManualSource(PublishSettings.MATERIAL);

  @Test
  void dayThatIsNotFound_wasNeverObserved_soThatARestartAsksForIt() {
    var history = new Query.CoinHistory("bitcoin", LocalDate.parse("2026-11-20"), true);
    source.notFound(history);
    source.known.restart();
    var confirmed = source.snapshot(history, List.of(), new Failure.NotFound("not found", true)).targetState();

    assertThat(confirmed.getObservedPages()).isZero();
    assertThat(confirmed.getComplete()).isFalse();
  }

  @Test
  void serviceDown_poolNotVisible_nextChangeBeginsAtLastObservation() {
    source.pool(priced("1.00"));
    source.pool(priced("1.00"));
    Instant observed = source.now;
    fail(POOL, 10, Duration.ofMinutes(3));

    Instant due = due("pool", "eth_0xa");
    assertThat(due).isEqualTo(observed.plus(Duration.ofMinutes(15)));
    PoolChange out = (PoolChange) expire("pool", "eth_0xa", due);
    assertThat(out.getVisibility().getLastObservedAt()).isEqualTo(observed);
    PoolChange back = change(source.pool(priced("0.80")));
    assertThat(back.getVisibility().getVisible()).isTrue();
    assertThat(back.getPrice().getBeforeObservedAt()).isEqualTo(observed);
    assertThat(back.getOrigin().getPreviousObservedAt()).isEqualTo(observed);
  }

  @Test
  void failedSnapshot_keepsObservedAt_andSetsAttemptedAt() {
    source.pool(priced("1.00"));
    Instant observed = source.now;
    fail(POOL, 2, Duration.ofMinutes(3));

    TargetState state = source.known.targetState(ManualSource.nameOf(POOL));
    assertThat(state.getComplete()).isFalse();
    assertThat(state.getSnapshot()).isEqualTo(3);
    assertThat(state.getObservedAt()).isEqualTo(observed);
    assertThat(state.getAttemptedAt()).isEqualTo(source.now);
  }

  @Test
  void laterPageFails_onlyWhatTheFirstShowedIsObserved() {
    pages(List.of(A), List.of(B));
    Instant observed = source.now;
    for (int i = 0; i < 10; i++) {
      firstPageOnly(List.of(A), down());
    }

    assertThat(due("pool", "eth_0xa")).isEqualTo(source.now.plus(Duration.ofMinutes(15)));
    assertThat(due("pool", "eth_0xb")).isEqualTo(observed.plus(Duration.ofMinutes(15)));
  }

  @Test
  void unreadableSecondPage_isADeadLetter_andTheFirstIsPublished() {
    pages(List.of(A), List.of(B));
    ChangeSet changeSet = firstPageOnly(List.of(A, C), noAnswer());

    assertThat(changeOf("eth_0xc").getAppeared().getKind()).isEqualTo("found");
    assertThat(changeSet.targetState().getComplete()).isFalse();
    assertThat(changeSet.deadLetters()).singleElement().satisfies(deadLetter -> {
      assertThat(deadLetter.getPage()).isEqualTo(2);
      assertThat(deadLetter.getReason()).isEqualTo("cut short");
    });
  }

  @Test
  void answerWithoutItsList_isADeadLetterOnce_andTheTargetIsIncomplete() {
    source.poll(TREASURY, treasury("bitcoin"));

    var first = source.poll(TREASURY, new TreasuryAnswer(treasury().treasury(), null));
    var second = source.poll(TREASURY, new TreasuryAnswer(treasury().treasury(), null));

    assertThat(first.deadLetters()).singleElement()
        .satisfies(letter -> assertThat(letter.getReason()).isEqualTo("the answer has no list 'holdings'"));
    assertThat(first.targetState().getComplete()).isFalse();
    assertThat(second.deadLetters()).isEmpty();
    assertThat(second.targetState().getDeadLetters()).singleElement()
        .satisfies(count -> assertThat(count.getCount()).isEqualTo(2));
  }

  @Test
  void answerWithoutTopPoolsOfATokenThatNeverHadSome_isComplete() {
    var without = source.poll(TOKEN, token(null));

    assertThat(without.deadLetters()).isEmpty();
    assertThat(without.targetState().getComplete()).isTrue();
  }

  @ParameterizedTest
  @MethodSource
  void answerWithoutUsableTopPools_saysNothingOfThem(List<String> topPools) {
    source.poll(TOKEN, token(List.of("eth_0xa", "eth_0xb")));

    var without = source.poll(TOKEN, token(topPools));

    assertThat(without.listings()).isEmpty();
    assertThat(without.members()).isEmpty();
    assertThat(without.targetState().getComplete()).isFalse();
    assertThat(without.deadLetters()).hasSize(1);
    assertThat(source.poll(TOKEN, token(List.of())).listings()).as("of an empty list").hasSize(2);
  }

  static Stream<List<String>> answerWithoutUsableTopPools_saysNothingOfThem() {
    return Stream.of(null, List.of(""), List.of(" ", "x".repeat(513)));
  }

  @Test
  void answerWithoutTopPoolsThatWereNotAskedFor_isComplete() {
    var plain = new Query.TokenByAddress("eth", "0xt", false, false, false);

    assertThat(source.poll(plain, token(null)).targetState().getComplete()).isTrue();
  }

  private static OnChainAnswer<TokenAnswer> token(List<String> topPools) {
    var token = Token.newBuilder().setId("eth_0xt").setNetwork("eth").setAddress("0xt").build();
    return new OnChainAnswer<>(new TokenAnswer(Observation.of(token), topPools),
        topPools == null ? null : new Included(List.of(A, B), List.of(), List.of()));
  }

  /** What an unreadable page of two days ago showed, once it can be read. */
  @Test
  void lateSnapshot_addsWhatIsNotKnown_andLeavesWhatIsNewer() {
    pages(List.of(B), List.of(priced("2.0")));
    var received = source.now.minus(Duration.ofDays(2));
    var answer = new Answer<>(TRENDING, Body.of(new OnChainAnswer<>(List.of(priced("1.0"), C), null)), "digest",
        received, received,
        received, null, null, null);
    var target = new Target("main", ManualSource.nameOf(TRENDING), TRENDING, 2);
    var late = new Snapshot(target, List.of(answer), false, down(), received, received);

    var rejected = source.detection().detect(late, source.known);
    var applied = source.known.apply(source.detection().detectOutOfOrder(late, source.known, source.now));

    assertThat(rejected.updates()).isEmpty();
    assertThat(changeOf("eth_0xc").getAppeared().getKind()).isEqualTo("found");
    assertThat(applied.updates()).filteredOn(update -> update.change() != null).hasSize(1);
    assertThat(applied.targetState().getRejections()).extracting(Rejection::getReason).containsOnly("older");
  }

  @Test
  void treasuryNotFound_itsHoldingsAreNotVisible() {
    source.poll(TREASURY, treasury("bitcoin", "ethereum"));
    Instant observed = source.now;
    for (int i = 0; i < 10; i++) {
      source.now = source.now.plus(Duration.ofMinutes(3));
      source.notFound(TREASURY);
    }

    Instant due = due("holding", "acme/ethereum");
    assertThat(due).isEqualTo(observed.plus(Duration.ofMinutes(15)));
    assertThat(((HoldingChange) expire("holding", "acme/ethereum", due)).getVisibility().getLastObservedAt())
        .isEqualTo(observed);
  }

  @Test
  void poolNotFoundForAMonth_isEvicted() {
    source.pool(priced("1.00"));
    source.notFound(POOL);
    source.notFound(POOL);
    Instant left = source.now;
    for (int day = 0; day < 31; day++) {
      source.now = source.now.plus(Duration.ofDays(1));
      source.notFound(POOL);
    }

    assertThat(due("pool", "eth_0xa")).isEqualTo(left.plus(Duration.ofDays(30)));
  }

  @Test
  void firstSnapshotFailed_theNextIsTheBaseline() {
    fail(TREASURY, 1, Duration.ofMinutes(3));
    ChangeSet changeSet = source.poll(TREASURY, treasury("bitcoin", "ethereum"));

    assertThat(changeSet.updates()).hasSize(3).allSatisfy(update -> {
      assertThat(part(update.change(), "appeared")).isNull();
      assertThat(((Origin) part(update.change(), "origin")).getBaseline()).isTrue();
      assertThat(((Origin) part(update.change(), "origin")).getPreviousObservedAt()).isNull();
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

  /** The pool is on the newer of two pages, whose answers repeat those before. */
  @Test
  void afterAFailedPoll_anotherTargetHasToBeNewerThanThePageThatShowsThePool() {
    for (int i = 0; i < 2; i++) {
      source.now = source.now.plus(Duration.ofMinutes(3));
      source.snapshot(
          TRENDING,
          List.of(
              source.answer(TRENDING, new OnChainAnswer<>(List.of(B), null), source.now.minusSeconds(2)),
              source.answer(TRENDING.withPage(2), new OnChainAnswer<>(List.of(priced("1.0")), null), source.now)),
          null);
      source.poll(POOL, new OnChainAnswer<>(priced("1.0"), null), source.now);
    }
    Instant shown = source.now;
    fail(TRENDING, 2, Duration.ofMinutes(1));

    ChangeSet concurrent = source.poll(POOL, new OnChainAnswer<>(priced("3.0"), null), shown.plusSeconds(1));
    ChangeSet newer = source.poll(POOL, new OnChainAnswer<>(priced("3.0"), null), shown.plusSeconds(3));

    assertThat(concurrent.targetState().getRejections()).containsExactly(new Rejection("pool", "concurrent", 1L));
    assertThat(change(newer).getPrice().getAfter().getBaseTokenPriceUsd()).isEqualTo("3.0");
  }

  @Test
  void afterAFailedPoll_anAnswerOlderThanTheOneBeforeIsRejected() {
    source.pool(priced("1.0"));
    Instant shown = source.now;
    fail(POOL, 2, Duration.ofMinutes(1));

    ChangeSet older = source.poll(POOL, new OnChainAnswer<>(priced("0.9"), null), shown.minusSeconds(10));
    ChangeSet newer = source.poll(POOL, new OnChainAnswer<>(priced("1.1"), null), shown.plusSeconds(70));

    assertThat(older.updates()).isEmpty();
    assertThat(older.targetState().getRejections()).extracting(Rejection::getReason).containsExactly("older");
    assertThat(older.targetState().getAsOf()).isEqualTo(shown);
    assertThat(change(newer).getPrice().getBefore().getBaseTokenPriceUsd()).isEqualTo("1.0");
  }

  private void fail(Query<?> query, int times, Duration apart) {
    for (int i = 0; i < times; i++) {
      source.now = source.now.plus(apart);
      source.snapshot(query, List.of(), down());
    }
  }

  private void pages(List<Observation<Pool>> first, List<Observation<Pool>> second) {
    source.now = source.now.plus(Duration.ofMinutes(3));
    source.snapshot(
        TRENDING,
        List.of(
            source.answer(TRENDING, new OnChainAnswer<>(first, null), source.now),
            source.answer(TRENDING.withPage(2), new OnChainAnswer<>(second, null), source.now)),
        null);
  }

  private ChangeSet firstPageOnly(List<Observation<Pool>> first, Failure failure) {
    source.now = source.now.plus(Duration.ofMinutes(3));
    var answer = source.answer(TRENDING, new OnChainAnswer<>(first, null), source.now);
    return source.snapshot(TRENDING, List.of(answer), failure);
  }

  private static Observation<Pool> old(String id) {
    return created(id, "2026-01-01T00:00:00Z");
  }

  private Instant due(String resource, String key) {
    return source.detection().nextDeadline(resource, source.known.find(resource, key), source.known,
        source.now);
  }

  private SpecificRecord expire(String resource, String key, Instant at) {
    ResourceUpdate update =
        source.detection().onDeadline(resource, source.known.find(resource, key), source.known, at);
    source.known.apply(update);
    return update.change();
  }

  private static PoolChange change(ChangeSet changeSet) {
    return (PoolChange) changeSet.updates().get(0).change();
  }

  private PoolChange changeOf(String pool) {
    return source.known.changes.stream()
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
