package io.tidemark.capture.change;

import static io.tidemark.capture.change.ManualSource.NEW;
import static io.tidemark.capture.change.ManualSource.POOL;
import static io.tidemark.capture.change.ManualSource.TRENDING;
import static io.tidemark.capture.change.ManualSource.active;
import static io.tidemark.capture.change.ManualSource.created;
import static io.tidemark.capture.change.ManualSource.pool;
import static io.tidemark.capture.change.ManualSource.priced;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.capture.change.ChangeSet.ResourceUpdate;
import io.tidemark.event.ChangeView;
import io.tidemark.event.CoinDay;
import io.tidemark.event.CoinDayChange;
import io.tidemark.event.CoinDayTranslation;
import io.tidemark.event.Contract;
import io.tidemark.event.ContractChange;
import io.tidemark.event.ContractDescription;
import io.tidemark.event.DerivativesExchange;
import io.tidemark.event.Holding;
import io.tidemark.event.HoldingChange;
import io.tidemark.event.HoldingPosition;
import io.tidemark.event.Platform;
import io.tidemark.event.PlatformChange;
import io.tidemark.event.PlatformDescription;
import io.tidemark.event.Pool;
import io.tidemark.event.PoolChange;
import io.tidemark.event.PoolLiquidity;
import io.tidemark.event.PoolPrice;
import io.tidemark.event.PoolState;
import io.tidemark.event.PoolValuation;
import io.tidemark.event.RankingChange;
import io.tidemark.event.RankingState;
import io.tidemark.event.Rejection;
import io.tidemark.event.Suppressed;
import io.tidemark.event.Token;
import io.tidemark.event.Treasury;
import io.tidemark.event.Visibility;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.PlatformFilter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChangeDetectorTest {
  private static final Query.PublicTreasury TREASURY = new Query.PublicTreasury("acme", Set.of(), Set.of());
  private static final Query.DerivativesExchangeById DERIVATIVES =
      new Query.DerivativesExchangeById("binance", IncludeTickers.ALL);

  private static final Query.AssetPlatforms PLATFORMS = new Query.AssetPlatforms(null);
  private static final Query.AssetPlatforms NFT = new Query.AssetPlatforms(PlatformFilter.NFT);

  private final ManualSource source = new ManualSource(PublishSettings.MATERIAL);

  private static PoolChange only(ChangeSet changeSet) {
    List<PoolChange> changes =
        changeSet.updates().stream()
            .map(ResourceUpdate::change)
            .filter(PoolChange.class::isInstance)
            .map(PoolChange.class::cast)
            .toList();
    assertThat(changes).hasSize(1);
    return changes.get(0);
  }

  private static List<Object> changes(ChangeSet changeSet) {
    return changeSet.updates().stream().<Object>map(ResourceUpdate::change).filter(change -> change != null).toList();
  }

  @Test
  void firstObservation_isBaselineKeyFrameOfAllThatIsKnown() {
    PoolChange change = only(source.pool(priced("1.0")));

    assertThat(change.getRevision()).isEqualTo(1);
    assertThat(change.getAppeared()).isNull();
    assertThat(change.getOrigin().getBaseline()).isTrue();
    assertThat(change.getOrigin().getKeyFrame()).isTrue();
    assertThat(change.getPrice().getBefore()).isNull();
    assertThat(change.getPrice().getAfter().getBaseTokenPriceUsd()).isEqualTo("1.0");
    assertThat(change.getAbout().getPriceUsd()).isEqualTo(1.0);
  }

  @Test
  void nothingMoved_givesNothing() {
    source.pool(priced("1.0"));
    assertThat(source.pool(priced("1.0")).updates()).isEmpty();
  }

  @Test
  void priceMoved_saysFromWhatToWhatAndByHowMuch() {
    source.pool(priced("1.0"));
    Instant observed = source.now;
    PoolChange change = only(source.pool(priced("1.5")));

    assertThat(change.getRevision()).isEqualTo(2);
    assertThat(change.getPrice().getBefore().getBaseTokenPriceUsd()).isEqualTo("1.0");
    assertThat(change.getPrice().getMovePercent()).isEqualTo(50.0);
    assertThat(change.getPrice().getBeforeObservedAt()).isEqualTo(observed);
    assertThat(change.getLiquidity()).isNull();
    assertThat(change.getOrigin().getPreviousObservedAt()).isEqualTo(observed);
  }

  @Test
  void sameValueObservedAgain_movesTheTimeItWasLastObserved() {
    source.pool(priced("1.0"));
    source.pool(priced("1.0"));
    Instant confirmed = source.now;

    assertThat(only(source.pool(priced("2.0"))).getPrice().getBeforeObservedAt()).isEqualTo(confirmed);
  }

  @Test
  void absentAttribute_leavesWhatIsKnown() {
    Pool both = pool("eth_0xa", "1.0");
    both.getPrice().setQuoteTokenPriceUsd("3.0");
    source.pool(Observation.of(both));
    PoolChange change = only(source.pool(priced("2.0")));

    assertThat(change.getPrice().getAfter().getQuoteTokenPriceUsd()).isEqualTo("3.0");
  }

  @Test
  void ourClockSetBack_newsIsStillNews() {
    source.pool(priced("1.0"));
    Instant theirs = source.now.plusSeconds(10);
    source.now = source.now.minus(Duration.ofHours(1));
    PoolChange change = only(source.poll(POOL, new OnChainAnswer<>(priced("2.0"), null), theirs));

    assertThat(change.getPrice().getMovePercent()).isEqualTo(100.0);
    PoolChange next = only(source.poll(POOL, new OnChainAnswer<>(priced("3.0"), null), theirs.plusSeconds(10)));
    assertThat(next.getPrice().getMovePercent()).isEqualTo(50.0);
  }

  @Test
  void explicitNull_setsNull() {
    Pool valued = pool("eth_0xa", "1.0");
    valued.setValuation(PoolValuation.newBuilder().setFdvUsd("10").setMarketCapUsd("5").build());
    source.pool(Observation.of(valued));
    Pool unverified = pool("eth_0xa", "1.0");
    unverified.setValuation(PoolValuation.newBuilder().setFdvUsd("10").build());
    PoolChange change = only(source.pool(new Observation<>(unverified, Set.of("valuation.market_cap_usd"))));

    assertThat(change.getValuation().getAfter()).isEqualTo(PoolValuation.newBuilder().setFdvUsd("10").build());
  }

  @Test
  void firstNullOfWhatWasAbsent_isNoChange() {
    source.pool(priced("1.0"));
    assertThat(changes(source.pool(new Observation<>(pool("eth_0xa", "1.0"), Set.of("valuation.market_cap_usd")))))
        .isEmpty();
  }

  @Test
  void newestPoolsReachBack_whereTheLastOfThemDoesNotSayOfWhen() {
    source.list(NEW, created("eth_0xb", "2026-11-21T11:59:00Z"), Observation.of(pool("eth_0xd", "1.0")));

    PoolChange change = only(source.list(NEW, created("eth_0xc", "2026-11-21T11:59:30Z"),
        created("eth_0xb", "2026-11-21T11:59:00Z"), Observation.of(pool("eth_0xd", "1.0"))));

    assertThat(change.getAppeared().getKind()).as("before watching began").isEqualTo("created");
  }

  @Test
  void poolCreatedWhileWatching_appears() {
    source.list(NEW, created("eth_0xb", "2026-11-20T00:00:00Z"));
    PoolChange change =
        only(
            source.list(
                NEW, created("eth_0xc", "2026-11-21T12:00:10Z"), created("eth_0xb", "2026-11-20T00:00:00Z")));

    assertThat(change.getAppeared().getKind()).isEqualTo("created");
    assertThat(change.getAppeared().getList()).isEqualTo("eth/new");
    assertThat(change.getAppeared().getRank()).isEqualTo(1);
    assertThat(change.getAppeared().getAgeSeconds()).isEqualTo(10.0);
    assertThat(change.getOrigin().getBaseline()).isFalse();
  }

  /** The tokens of some exchanges' pools are the contracts of the pools. */
  @Test
  void newPoolWhoseAddressIsThatOfAnIncludedToken_isCreated() {
    listWithToken(List.of(created("eth_0xb", "2026-11-20T00:00:00Z")));
    PoolChange change = only(listWithToken(
        List.of(created("eth_0xa", "2026-11-21T12:00:10Z"), created("eth_0xb", "2026-11-20T00:00:00Z"))));

    assertThat(change.getAppeared().getKind()).isEqualTo("created");
  }

  @Test
  void poolAndTokenOfOneAddress_areBothVisibleUntilLongAfterTheirLastObservation() {
    listWithToken(List.of(created("eth_0xa", "2026-11-20T00:00:00Z")));
    listWithToken(List.of(created("eth_0xa", "2026-11-20T00:00:00Z")));
    Instant shown = source.now;
    source.list(NEW, created("eth_0xb", "2026-11-20T00:00:00Z"));

    for (var resource : List.of("pool", "token")) {
      var state = source.known.find(resource, "eth_0xa");
      assertThat(source.detection().nextDeadline(resource, state, source.known, source.now)).as(resource)
          .isEqualTo(shown.plus(Duration.ofMinutes(15)));
    }
  }

  @Test
  void poolThatLeaves_whileATokenOfItsAddressIsIncluded_isNotShown() {
    listWithToken(List.of(created("eth_0xa", "2026-11-20T00:00:00Z")));
    listWithToken(List.of(created("eth_0xa", "2026-11-20T00:00:00Z")));
    Instant shown = source.now;
    listWithToken(List.of(created("eth_0xb", "2026-11-20T00:00:00Z")));

    var state = source.known.find("pool", "eth_0xa");
    assertThat(source.detection().nextDeadline("pool", state, source.known, source.now))
        .isEqualTo(shown.plus(Duration.ofMinutes(15)));
  }

  @Test
  void tokenThatIsNotIncludedAnyMore_whileThePoolOfItsAddressIsFirst_isNotShown() {
    listWithToken(List.of(created("eth_0xa", "2026-11-20T00:00:00Z")));
    listWithToken(List.of(created("eth_0xa", "2026-11-20T00:00:00Z")));
    Instant shown = source.now;
    source.list(NEW, created("eth_0xa", "2026-11-20T00:00:00Z"));

    var state = source.known.find("token", "eth_0xa");
    assertThat(source.detection().nextDeadline("token", state, source.known, source.now))
        .isEqualTo(shown.plus(Duration.ofMinutes(15)));
  }

  /** Polls new pools; the answer includes a token with the address of the pool 0xa. */
  private ChangeSet listWithToken(List<Observation<Pool>> pools) {
    var token = Token.newBuilder().setId("eth_0xa").setNetwork("eth").setAddress("0xa").build();
    var included = new Included(List.of(), List.of(Observation.of(token)), List.of());
    return source.poll(NEW, new OnChainAnswer<>(pools, included));
  }

  @Test
  void listThatDoesNotReachBack_saysSoAndEstimatesWhatWasMissed() {
    source.list(NEW, created("eth_0xb", "2026-11-21T12:00:20Z"), created("eth_0xc", "2026-11-21T12:00:10Z"));
    ChangeSet changeSet =
        source.snapshot(
            NEW,
            List.of(source.answer(NEW, new OnChainAnswer<>(newest(), null), source.now.plusSeconds(60))),
            null,
            false);

    assertThat(changeSet.targetState().getContiguous()).isFalse();
    assertThat(changeSet.targetState().getMissed()).isEqualTo(3);
  }

  @Test
  void unchangedList_reachesBack_andAFailedPollRepeatsWhatWasMissed() {
    source.list(NEW, created("eth_0xb", "2026-11-21T12:00:20Z"), created("eth_0xc", "2026-11-21T12:00:10Z"));
    source.poll(NEW, new OnChainAnswer<>(newest(), null));
    ChangeSet failed = source.snapshot(NEW, List.of(), new Failure.ServerError("500"));
    ChangeSet again = source.poll(NEW, new OnChainAnswer<>(newest(), null));
    source.list(NEW, created("eth_0xf", "2026-11-21T12:02:20Z"));
    ChangeSet unchanged = source.list(NEW, created("eth_0xf", "2026-11-21T12:02:20Z"));

    assertThat(failed.targetState().getContiguous()).isFalse();
    assertThat(failed.targetState().getMissed()).isEqualTo(3);
    assertThat(again.targetState().getContiguous()).isTrue();
    assertThat(unchanged.targetState().getChanged()).isFalse();
    assertThat(unchanged.targetState().getContiguous()).isTrue();
    assertThat(unchanged.targetState().getMissed()).isNull();
  }

  @Test
  void shortListThatDoesNotReachBack_saysSo() {
    source.list(NEW, created("eth_0xb", "2026-11-21T12:00:20Z"), created("eth_0xc", "2026-11-21T12:00:10Z"));
    ChangeSet changeSet =
        source.poll(NEW, new OnChainAnswer<>(newest(), null), source.now.plusSeconds(60));

    assertThat(changeSet.targetState().getExhausted()).isTrue();
    assertThat(changeSet.targetState().getContiguous()).isFalse();
    assertThat(changeSet.targetState().getMissed()).isEqualTo(3);
  }

  @Test
  void wholeListWithoutPoolsThatAreNewNoMore_reachesBack() {
    source.list(NEW, created("eth_0xb", "2026-11-19T12:00:20Z"));
    ChangeSet changeSet = source.list(NEW, created("eth_0xc", "2026-11-21T12:00:10Z"));

    assertThat(changeSet.targetState().getContiguous()).isTrue();
    assertThat(changeSet.targetState().getMissed()).isNull();
  }

  private static List<Observation<Pool>> newest() {
    return List.of(created("eth_0xe", "2026-11-21T12:01:10Z"), created("eth_0xd", "2026-11-21T12:01:00Z"));
  }

  @Test
  void windowsWithheld_areCounted() {
    source.pool(active("1.0", "7"));
    ChangeSet changeSet = source.pool(active("1.0", "8"));

    assertThat(changeSet.targetState().getSuppressed()).containsExactly(new Suppressed("pool", "activity", 1L));
  }

  @Test
  void listWatchedWithMorePages_isBaseline() {
    source.list(TRENDING, created("eth_0xa", "2026-01-01T00:00:00Z"));
    source.now = source.now.plusSeconds(10);
    var first = new OnChainAnswer<>(List.of(created("eth_0xa", "2026-01-01T00:00:00Z")), null);
    var second = new OnChainAnswer<>(List.of(created("eth_0xb", "2026-01-01T00:00:00Z")), null);
    ChangeSet more =
        source.snapshot(
            TRENDING,
            List.of(
                source.answer(TRENDING, first, source.now),
                source.answer(TRENDING.withPage(2), second, source.now)),
            null);

    assertThat(only(more).getAppeared()).isNull();
    assertThat(only(more).getOrigin().getBaseline()).isTrue();
    assertThat(changes(more)).filteredOn(RankingChange.class::isInstance).singleElement().satisfies(
        change -> assertThat(((RankingChange) change).getOrigin().getBaseline()).isTrue());
    assertThat(more.listings()).allSatisfy(listing -> assertThat(listing.getOrigin().getBaseline()).isTrue());
  }

  @Test
  void poolOnALaterPage_appearsWithItsRankInTheWholeList() {
    source.now = source.now.plusSeconds(10);
    pages(List.of(created("eth_0xa", "2026-01-01T00:00:00Z"), created("eth_0xb", "2026-01-01T00:00:00Z")),
        List.of(created("eth_0xd", "2026-01-01T00:00:00Z")));
    source.now = source.now.plusSeconds(10);

    ChangeSet changeSet = pages(
        List.of(created("eth_0xa", "2026-01-01T00:00:00Z"), created("eth_0xb", "2026-01-01T00:00:00Z")),
        List.of(created("eth_0xb", "2026-01-01T00:00:00Z"), created("eth_0xc", "2026-01-01T00:00:00Z")));

    assertThat(poolChanges(changeSet)).singleElement().satisfies(
        change -> assertThat(((PoolChange) change).getAppeared().getRank()).isEqualTo(3));
    assertThat(changeSet.listings()).filteredOn(listing -> listing.getPool().equals("eth_0xc")).singleElement()
        .satisfies(listing -> assertThat(listing.getRank()).isEqualTo(3));
  }

  @Test
  void topPoolOfAToken_appearsWithItsRank() {
    var query = new Query.TokenByAddress("eth", "0xt", true, false, false);
    source.poll(query, token("eth_0xa"));

    var change = only(source.poll(query, token("eth_0xa", "eth_0xb")));

    assertThat(change.getAppeared().getList()).isEqualTo("eth/token/0xt/top");
    assertThat(change.getAppeared().getRank()).isEqualTo(2);
  }

  private static OnChainAnswer<TokenAnswer> token(String... topPools) {
    var token = Token.newBuilder().setId("eth_0xt").setNetwork("eth").setAddress("0xt").build();
    var pools = Arrays.stream(topPools).map(id -> created(id, "2026-01-01T00:00:00Z")).toList();
    return new OnChainAnswer<>(new TokenAnswer(Observation.of(token), List.of(topPools)),
        new Included(pools, List.of(), List.of()));
  }

  private ChangeSet pages(List<Observation<Pool>> first, List<Observation<Pool>> second) {
    return source.snapshot(
        TRENDING,
        List.of(
            source.answer(TRENDING, new OnChainAnswer<>(first, null), source.now),
            source.answer(TRENDING.withPage(2), new OnChainAnswer<>(second, null), source.now)),
        null);
  }

  @Test
  void oldPoolObservedLate_isFound() {
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));
    PoolChange change =
        only(
            source.list(
                TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"), created("eth_0xc", "2026-01-01T00:00:00Z")));

    assertThat(change.getAppeared().getKind()).isEqualTo("found");
  }

  @Test
  void windowsAlone_areWithheldAndComeWithTheNextChange() {
    source.pool(active("1.0", "7"));
    assertThat(changes(source.pool(active("1.0", "8")))).isEmpty();
    PoolChange change = only(source.pool(active("2.0", "9")));

    assertThat(change.getActivity().getBefore().getVolumeUsd().getM5()).isEqualTo("7");
    assertThat(change.getActivity().getAfter().getVolumeUsd().getM5()).isEqualTo("9");
  }

  @Test
  void withheldWindows_arePublishedWhenDue_withTheirOwnOrigin() {
    source.pool(active("1.0", "7"));
    source.pool(active("1.0", "8"));
    Instant saw = source.now;
    PoolState state = (PoolState) source.known.find("pool", "eth_0xa");
    Instant due = source.detection().nextDeadline("pool", state, source.known, saw);
    PoolChange change = (PoolChange) source.detection().onDeadline("pool", state, source.known, due).change();

    assertThat(due).isEqualTo(ManualSource.START.plusSeconds(10).plus(Duration.ofMinutes(5)));
    assertThat(source.detection().onDeadline("pool", state, source.known, due.minusMillis(1))).isNull();
    assertThat(change.getActivity().getAfter().getVolumeUsd().getM5()).isEqualTo("8");
    assertThat(change.getOrigin().getObservedAt()).isEqualTo(saw);
  }

  @Test
  void withheldWindows_areOfTheSnapshotThatObservedThem_afterOneThatDoesNotShowThePool() {
    source.list(TRENDING, active("1.0", "7"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.list(TRENDING, active("1.0", "8"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    Instant saw = source.now;
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));

    PoolChange change = (PoolChange) expire("eth_0xa", due("eth_0xa")).change();

    assertThat(change.getActivity().getAfter().getVolumeUsd().getM5()).isEqualTo("8");
    assertThat(change.getOrigin().getObservedAt()).isEqualTo(saw);
    assertThat(change.getOrigin().getAsOf()).isEqualTo(saw);
  }

  @Test
  void withheldWindowsDueInASnapshotThatDoesNotShowThePool_areOfTheSnapshotThatObservedThem() {
    source.list(TRENDING, active("1.0", "7"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.list(TRENDING, active("1.0", "8"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    Instant saw = source.now;
    source.now = due("eth_0xa");
    PoolChange change = only(source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z")));

    assertThat(change.getActivity().getAfter().getVolumeUsd().getM5()).isEqualTo("8");
    assertThat(change.getOrigin().getObservedAt()).isEqualTo(saw);
    assertThat(change.getOrigin().getAsOf()).isEqualTo(saw);
  }

  @Test
  void twoStaticCachesThatDisagree_giveNoChangeAndFreezeNothing() {
    source.pool(priced("1.0"));
    Observation<Pool> other = priced("1.1");
    assertThat(poolChanges(source.list(TRENDING, other))).isEmpty();
    assertThat(changes(source.pool(priced("1.0")))).isEmpty();
    assertThat(changes(source.list(TRENDING, other))).isEmpty();

    PoolChange moved = only(source.list(TRENDING, priced("1.2")));
    assertThat(moved.getPrice().getBefore().getBaseTokenPriceUsd()).isEqualTo("1.0");
    assertThat(moved.getPrice().getAfter().getBaseTokenPriceUsd()).isEqualTo("1.2");
  }

  private static List<Object> poolChanges(ChangeSet changeSet) {
    return changes(changeSet).stream().filter(PoolChange.class::isInstance).toList();
  }

  @Test
  void rejectedValue_isPublishedOnceTheOtherTargetDropsThePool() {
    source.list(TRENDING, reserve("100000"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.pool(reserve("0"));
    Instant observed = source.now.minusSeconds(10);
    assertThat(changes(source.pool(reserve("0")))).isEmpty();
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));
    PoolChange pulled = only(source.pool(reserve("0")));

    assertThat(pulled.getLiquidity().getBefore().getReserveInUsd()).isEqualTo("100000");
    assertThat(pulled.getLiquidity().getAfter().getReserveInUsd()).isEqualTo("0");
    assertThat(pulled.getLiquidity().getBeforeObservedAt()).isEqualTo(observed);
    assertThat(changes(source.pool(reserve("0")))).isEmpty();
  }

  private static Observation<Pool> reserve(String usd) {
    Pool pool = pool("eth_0xa", "1.0");
    pool.setLiquidity(PoolLiquidity.newBuilder().setReserveInUsd(usd).build());
    return Observation.of(pool);
  }

  @Test
  void cacheRunningBackwards_isRefusedWholeAndDoesNotCount() {
    source.pool(priced("1.0"));
    Instant accepted = source.now;
    ChangeSet changeSet = source.poll(POOL, new OnChainAnswer<>(priced("0.9"), null), accepted.minusSeconds(30));

    assertThat(changeSet.updates()).isEmpty();
    assertThat(changeSet.targetState().getObservedAt()).isEqualTo(accepted);
    assertThat(changeSet.targetState().getRejections()).singleElement()
        .satisfies(r -> assertThat(r.getReason()).isEqualTo("older"));
  }

  @Test
  void answerDatedFarInTheFuture_isAccepted_andNoneAfterItCountsAsOlder() {
    source.pool(priced("1.0"));
    source.now = source.now.plusSeconds(10);
    ChangeSet ahead =
        source.poll(POOL, new OnChainAnswer<>(priced("2.0"), null), source.now.plus(Duration.ofDays(300)));

    assertThat(only(ahead).getPrice().getAfter().getBaseTokenPriceUsd()).isEqualTo("2.0");
    assertThat(ahead.targetState().getAsOf()).isNull();
    assertThat(only(source.pool(priced("3.0"))).getPrice().getAfter().getBaseTokenPriceUsd()).isEqualTo("3.0");
  }

  /** As an earlier version stored them. */
  @Test
  void storedTimesFarInTheFuture_areIgnored() {
    source.pool(priced("1.0"));
    source.list(TRENDING, priced("1.0"));
    var state = source.known.targetState(ManualSource.nameOf(POOL));
    var ahead = source.now.plus(Duration.ofDays(300));
    state.setAsOf(ahead);
    state.getPages().get(0).setAsOf(ahead);
    source.known.restart();

    source.now = source.now.plusSeconds(60);
    assertThat(only(source.list(TRENDING, priced("1.5"))).getPrice()).as("another target").isNotNull();
    assertThat(only(source.pool(priced("2.0"))).getPrice()).as("the same target").isNotNull();
  }

  @Test
  void otherTargetOlderThanKnown_isRejected_andPublishedWhenNewer() {
    source.pool(priced("1.0"));
    source.list(TRENDING, priced("1.0"));
    source.pool(priced("2.0"));
    Instant newest = source.now;
    ChangeSet refused =
        source.poll(TRENDING, new OnChainAnswer<>(List.of(priced("1.5")), null), newest.minusSeconds(5));
    assertThat(poolChanges(refused)).isEmpty();
    assertThat(refused.targetState().getRejections()).isNotEmpty();

    assertThat(only(source.list(TRENDING, priced("1.5"))).getPrice()).isNotNull();
  }

  @Test
  void otherTargetWithinTolerance_isRejected_untilClearlyNewer() {
    source.pool(priced("1.0"));
    source.list(TRENDING, priced("1.0"));
    source.pool(priced("2.0"));

    source.now = source.now.plusSeconds(1);
    ChangeSet concurrent = source.poll(TRENDING, new OnChainAnswer<>(List.of(priced("3.0")), null), source.now);
    source.now = source.now.plusSeconds(2);
    ChangeSet newer = source.poll(TRENDING, new OnChainAnswer<>(List.of(priced("3.0")), null), source.now);

    assertThat(concurrent.updates()).noneMatch(update -> update.resource().equals("pool"));
    assertThat(concurrent.targetState().getRejections()).containsExactly(new Rejection("pool", "concurrent", 1L));
    assertThat(newer.updates()).as("read again, though it is the same body")
        .anyMatch(update -> update.change() instanceof PoolChange);
  }

  @Test
  void targetWithoutTime_isRejectedWhileTheInformantShowsThePool() {
    source.list(TRENDING, priced("1.0"));
    source.pool(priced("1.0"));

    source.now = source.now.plusSeconds(60);
    ChangeSet concurrent = source.poll(POOL, new OnChainAnswer<>(priced("3.0"), null), null);
    source.list(TRENDING);
    ChangeSet alone = source.poll(POOL, new OnChainAnswer<>(priced("3.0"), null), null);

    assertThat(concurrent.targetState().getRejections()).containsExactly(new Rejection("pool", "concurrent", 1L));
    assertThat(concurrent.updates()).isEmpty();
    assertThat(alone.updates()).hasSize(1);
  }

  @Test
  void holdingMissingTwice_isClosedAndMayReturn() {
    source.poll(TREASURY, treasury(holding("bitcoin", 5), holding("ethereum", 7)));
    source.poll(TREASURY, treasury(holding("bitcoin", 5)));
    source.known.restart();
    ChangeSet closed = source.poll(TREASURY, treasury(holding("bitcoin", 5)));
    assertThat(changes(closed)).singleElement().satisfies(change -> {
      assertThat(((HoldingChange) change).getRemoved().getReason()).isEqualTo("closed");
      assertThat(((HoldingChange) change).getAbout().getEntityName()).isNull();
    });

    ChangeSet back = source.poll(TREASURY, treasury(holding("bitcoin", 5), holding("ethereum", 9)));
    assertThat(changes(back)).singleElement().satisfies(change -> {
      assertThat(((HoldingChange) change).getAppeared().getKind()).isEqualTo("found");
      assertThat(((HoldingChange) change).getPosition().getAmountChange()).isEqualTo(2.0);
    });
  }

  @Test
  void manyHoldingsMissingAtOnce_awaitASecondSnapshot() {
    var all = new Holding[12];
    Arrays.setAll(all, i -> holding("coin" + i, i));
    source.poll(TREASURY, treasury(all));
    TreasuryAnswer shrunk = treasury(all[0]);
    ChangeSet first = source.poll(TREASURY, shrunk);
    assertThat(changes(first)).isEmpty();
    assertThat(first.targetState().getAwaitingConfirmation()).isEqualTo(11);

    assertThat(changes(source.poll(TREASURY, shrunk))).hasSize(11);
  }

  @Test
  void answerWithoutItsHoldings_saysNothingOfThem() {
    source.poll(TREASURY, treasury(holding("bitcoin", 5), holding("ethereum", 7)));
    ChangeSet without = source.poll(TREASURY, new TreasuryAnswer(treasury().treasury(), null));
    assertThat(changes(without)).isEmpty();
    assertThat(without.targetState().getComplete()).isFalse();

    source.poll(TREASURY, treasury());
    assertThat(changes(source.poll(TREASURY, treasury()))).hasSize(2);
  }

  @Test
  void treasuryWithAnotherId_neitherClosesNorOpensHoldings() {
    source.poll(TREASURY, treasury(holding("bitcoin", 5)));
    var holding = Holding.newBuilder(holding("bitcoin", 5)).setEntity("acme-inc").build();
    var renamed = new TreasuryAnswer(Observation.of(Treasury.newBuilder().setId("acme-inc").build()),
        List.of(Observation.of(holding)));

    assertThat(changes(source.poll(TREASURY, renamed))).filteredOn(HoldingChange.class::isInstance).singleElement()
        .satisfies(change -> {
          assertThat(((HoldingChange) change).getAppeared()).isNull();
          assertThat(((HoldingChange) change).getOrigin().getBaseline()).isTrue();
        });
    assertThat(changes(source.poll(TREASURY, renamed))).isEmpty();
    assertThat(changes(source.poll(TREASURY, treasury(holding("bitcoin", 5))))).isEmpty();
  }

  @Test
  void answerWithoutTheContractsAskedFor_saysNothingOfThem() {
    source.poll(DERIVATIVES, derivatives(contract("BTC-PERP", "perpetual")));
    assertThat(changes(source.poll(DERIVATIVES, new DerivativesAnswer(derivatives().exchange(), null)))).isEmpty();
    source.poll(DERIVATIVES, derivatives());
    assertThat(changes(source.poll(DERIVATIVES, derivatives()))).hasSize(1);
  }

  @Test
  void platformsWithNftsNearlyAllMissing_awaitASecondSnapshot() {
    List<Observation<Platform>> all = IntStream.range(0, 12).mapToObj(i -> platform("chain" + i)).toList();
    source.poll(NFT, all);
    ChangeSet first = source.poll(NFT, all.subList(0, 1));
    assertThat(changes(first)).isEmpty();
    assertThat(first.targetState().getAwaitingConfirmation()).isEqualTo(11);
    source.poll(PLATFORMS, all);

    assertThat(changes(source.poll(NFT, all.subList(0, 1)))).hasSize(11)
        .allSatisfy(change -> assertThat(((PlatformChange) change).getNft().getAfter().getSupported()).isFalse());
  }

  /** An answer that lacks a resource is no observation of it, so it is not newer than another target's observation. */
  @Test
  void absenceThatAwaitsConfirmation_doesNotOutweighAnotherTarget() {
    source.poll(NFT, List.of(named("a", "A"), platform("b")));
    source.poll(PLATFORMS, List.of(named("a", "A"), platform("b")));
    source.poll(NFT, List.of(platform("b")));

    Instant almostTheSame = source.now.plusSeconds(1);
    source.now = source.now.plusSeconds(10);
    ChangeSet renamed = source.poll(PLATFORMS, List.of(named("a", "A Mainnet"), platform("b")), almostTheSame);

    assertThat(changes(renamed)).singleElement().satisfies(
        change -> assertThat(((PlatformChange) change).getDescription().getAfter().getName()).isEqualTo("A Mainnet"));
  }

  @Test
  void platformRemoved_isNotBackByTheListWithNftsAlone() {
    List<Observation<Platform>> all = IntStream.range(0, 12).mapToObj(i -> platform("chain" + i)).toList();
    source.poll(PLATFORMS, all);
    source.poll(NFT, all);
    source.poll(PLATFORMS, all.subList(1, 12));
    assertThat(changes(source.poll(PLATFORMS, all.subList(1, 12)))).singleElement()
        .satisfies(change -> assertThat(((PlatformChange) change).getRemoved().getReason()).isEqualTo("absent"));

    source.poll(NFT, all.subList(0, 11));
    assertThat(changes(source.poll(NFT, all.subList(0, 11)))).as("an older copy").singleElement()
        .satisfies(change -> assertThat(((PlatformChange) change).getId()).isEqualTo("chain11"));
    source.poll(NFT, all.subList(1, 11));
    assertThat(changes(source.poll(NFT, all.subList(1, 11)))).as("removed or not, it supports none").singleElement()
        .satisfies(change -> assertThat(((PlatformChange) change).getNft().getAfter().getSupported()).isFalse());
    assertThat(changes(source.poll(PLATFORMS, all))).singleElement()
        .satisfies(change -> assertThat(((PlatformChange) change).getAppeared().getKind()).isEqualTo("found"));
  }

  private static Observation<Platform> platform(String id) {
    return Observation.of(Platform.newBuilder().setKey(id).setId(id).build());
  }

  private static Observation<Platform> named(String id, String name) {
    return Observation.of(Platform.newBuilder().setKey(id).setId(id)
        .setDescription(PlatformDescription.newBuilder().setName(name).build()).build());
  }

  @Test
  void datedContractMissing_isExpired() {
    source.poll(DERIVATIVES, derivatives(contract("BTC-PERP", "perpetual"), contract("BTC-NOV", "futures")));
    source.poll(DERIVATIVES, derivatives(contract("BTC-PERP", "perpetual")));
    ChangeSet changeSet = source.poll(DERIVATIVES, derivatives(contract("BTC-PERP", "perpetual")));

    assertThat(changes(changeSet)).singleElement().satisfies(
        change -> assertThat(((ContractChange) change).getRemoved().getReason()).isEqualTo("expired"));
  }

  @Test
  void poolNotFoundTwice_isRemoved() {
    source.pool(priced("1.0"));
    assertThat(changes(source.notFound(POOL))).isEmpty();
    assertThat(only(source.notFound(POOL)).getRemoved().getReason()).isEqualTo("not_found");
    assertThat(changes(source.notFound(POOL))).isEmpty();
  }

  @Test
  void dayThatBecameAvailableWhileWatching_isNews() {
    CoinDay day = CoinDay.newBuilder().setCoin("bitcoin").setDate("2026-11-21").build();
    source.now = Instant.parse("2026-11-22T00:35:00Z");
    ChangeSet changeSet =
        source.poll(new Query.CoinHistory("bitcoin", LocalDate.parse("2026-11-21"), true), Observation.of(day));
    assertThat(changeSet.updates()).singleElement().satisfies(update -> {
      assertThat(update.key()).isEqualTo("bitcoin/2026-11-21");
      assertThat(((CoinDayChange) update.change()).getOrigin().getBaseline()).isFalse();
    });
  }

  @Test
  void dayAndRanking_areEvictedOnlyOnceTheirTargetsAreForgotten() {
    var history = new Query.CoinHistory("bitcoin", LocalDate.parse("2026-11-20"), true);
    var day = CoinDay.newBuilder().setCoin("bitcoin").setDate("2026-11-20").build();
    day.setTranslation(new CoinDayTranslation(Map.of("en", "Bitcoin")));
    source.poll(history, Observation.of(day));
    source.list(ManualSource.TRENDING, priced("1.0"));
    var trending = ((RankingState) source.known.find("ranking", "eth/trending/24h"));
    var later = source.now.plus(Duration.ofDays(400));

    for (var each : List.of("coin-day bitcoin/2026-11-20", "ranking eth/trending/24h")) {
      var name = each.split(" ", 2);
      assertThat(due(name[0], name[1], later)).as("its target is known: %s", each).isNull();
      assertThat(source.detection().nextDeadline(name[0], source.known.find(name[0], name[1]), source.known, later))
          .isEqualTo(later.plus(Duration.ofDays(1)));
    }
    source.known.targets.clear();
    source.known.members.clear();

    assertThat(due("ranking", "eth/trending/24h", trending.getObservedAt().plus(Duration.ofDays(30)).minusMillis(1)))
        .isNull();
    for (var each : List.of("coin-day bitcoin/2026-11-20", "ranking eth/trending/24h")) {
      var update = due(each.split(" ", 2)[0], each.split(" ", 2)[1], later);
      assertThat(update.state()).isNull();
      assertThat(ChangeView.of(update.change()).removed(update.change()).getReason()).isEqualTo("evicted");
    }
  }

  private ResourceUpdate due(String resource, String key, Instant now) {
    return source.detection().onDeadline(resource, source.known.find(resource, key), source.known, now);
  }

  @Test
  void unreadableBody_isKeptWholeAndChangesNothing() {
    source.pool(priced("1.0"));
    byte[] raw = "<html>".getBytes(StandardCharsets.UTF_8);
    ChangeSet changeSet =
        source.snapshot(POOL, List.of(), new Failure.Unreadable("not JSON at 1:1", raw, 200, Map.of()));

    assertThat(changeSet.updates()).isEmpty();
    assertThat(changeSet.targetState().getComplete()).isFalse();
    assertThat(changeSet.deadLetters()).singleElement().satisfies(deadLetter -> {
      assertThat(deadLetter.getReason()).isEqualTo("not JSON at 1:1");
      assertThat(deadLetter.getLength()).isEqualTo(6);
    });
  }

  @Test
  void firstChangeInANewHalf_isAKeyFrameWithUnchangedFacets() {
    source.pool(priced("1.0"));
    source.now = source.now.plus(Duration.ofDays(16));
    PoolChange change = only(source.pool(priced("2.0")));

    assertThat(change.getOrigin().getKeyFrame()).isTrue();
    assertThat(change.getLiquidity().getBefore()).isEqualTo(change.getLiquidity().getAfter());
    assertThat(change.getPrice().getBefore()).isEqualTo(PoolPrice.newBuilder().setBaseTokenPriceUsd("1.0").build());
  }

  @Test
  void poolOutOfTheListForLong_isNotVisibleOnceAndVisibleOnce() {
    source.list(TRENDING, priced("1.0"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    Instant shown = source.now;
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));
    Instant due = due("eth_0xa");
    ResourceUpdate out = expire("eth_0xa", due);
    source.known.apply(out);

    assertThat(due).isEqualTo(shown.plus(Duration.ofMinutes(15)));
    assertThat(((PoolChange) out.change()).getVisibility()).isEqualTo(new Visibility(false, shown));
    assertThat(expire("eth_0xa", due.plusSeconds(1))).isNull();
    PoolChange back = only(source.list(TRENDING, priced("1.0"), created("eth_0xb", "2026-01-01T00:00:00Z")));
    assertThat(back.getVisibility()).isEqualTo(new Visibility(true, shown));
    assertThat(back.getPrice()).isNull();
  }

  @Test
  void snapshotFromBeforeItWasNotVisible_doesNotBringItBack() {
    source.list(TRENDING, priced("1.0"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    Instant shown = source.now;
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.known.apply(expire("eth_0xa", due("eth_0xa")));
    source.now = shown.minusSeconds(30);
    ChangeSet late = source.pool(priced("1.0"));

    assertThat(late.updates()).noneMatch(update -> update.change() != null);
  }

  @Test
  void poolNotVisibleForAMonth_isEvictedAndStartsANewGeneration() {
    source.list(TRENDING, priced("1.0"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.known.apply(expire("eth_0xa", due("eth_0xa")));
    ResourceUpdate evicted = expire("eth_0xa", due("eth_0xa"));
    source.known.apply(evicted);

    assertThat(((PoolChange) evicted.change()).getRemoved().getReason()).isEqualTo("evicted");
    assertThat(evicted.state()).isNull();
    PoolChange again = only(source.list(TRENDING, priced("1.0"), created("eth_0xb", "2026-01-01T00:00:00Z")));
    assertThat(again.getRevision()).isEqualTo(1);
    assertThat(again.getGeneration()).isEqualTo(source.now);
  }

  @Test
  void firstSnapshotThatShowsMoreOfAKnownPool_isBaseline() {
    source.pool(priced("1.0"));
    PoolChange change = only(source.list(TRENDING, created("eth_0xa", "2026-01-01T00:00:00Z")));

    assertThat(change.getRevision()).isEqualTo(2);
    assertThat(change.getOrigin().getBaseline()).isTrue();
  }

  @Test
  void firstSnapshotThatFindsAnotherPriceOfAPoolNobodyShows_isNews() {
    source.list(TRENDING, priced("1.0"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));
    PoolChange change = only(source.pool(priced("2.0")));

    assertThat(change.getPrice().getMovePercent()).isEqualTo(100.0);
    assertThat(change.getOrigin().getBaseline()).isFalse();
  }

  @Test
  void firstSnapshotThatMakesAPoolVisibleAgain_isNews() {
    source.list(TRENDING, priced("1.0"), created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));
    source.known.apply(expire("eth_0xa", due("eth_0xa")));

    assertThat(only(source.pool(priced("1.0"))).getOrigin().getBaseline()).isFalse();
  }

  @Test
  void poolStillShownByAnotherTarget_staysVisible() {
    source.pool(priced("1.0"));
    source.list(TRENDING, priced("1.0"));
    source.list(TRENDING, created("eth_0xb", "2026-01-01T00:00:00Z"));

    assertThat(due("eth_0xa")).isNull();
  }

  private Instant due(String pool) {
    return source.detection().nextDeadline("pool", source.known.find("pool", pool), source.known, source.now);
  }

  private ResourceUpdate expire(String pool, Instant now) {
    return source.detection().onDeadline("pool", source.known.find("pool", pool), source.known, now);
  }

  private static TreasuryAnswer treasury(Holding... holdings) {
    Treasury acme = Treasury.newBuilder().setId("acme").build();
    return new TreasuryAnswer(Observation.of(acme), Arrays.stream(holdings).map(Observation::of).toList());
  }

  private static Holding holding(String coin, double amount) {
    Holding holding = Holding.newBuilder().setEntity("acme").setCoinId(coin).build();
    holding.setPosition(HoldingPosition.newBuilder().setAmount(amount).build());
    return holding;
  }

  private static DerivativesAnswer derivatives(Contract... contracts) {
    DerivativesExchange exchange = DerivativesExchange.newBuilder().setId("binance").build();
    return new DerivativesAnswer(Observation.of(exchange), Arrays.stream(contracts).map(Observation::of).toList());
  }

  private static Contract contract(String symbol, String type) {
    Contract contract = Contract.newBuilder().setExchange("binance").setSymbol(symbol).build();
    contract.setDescription(ContractDescription.newBuilder().setContractType(type).build());
    return contract;
  }
}
