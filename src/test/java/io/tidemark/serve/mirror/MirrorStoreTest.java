package io.tidemark.serve.mirror;

import static io.tidemark.serve.mirror.MirroredMarket.TOPICS;
import static io.tidemark.serve.mirror.MirroredMarket.committed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.event.Pool;
import io.tidemark.event.PoolDescription;
import io.tidemark.event.PoolState;
import io.tidemark.event.RankingState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetRetry;
import io.tidemark.event.TargetState;
import io.tidemark.event.Token;
import io.tidemark.event.TokenState;
import io.tidemark.event.Treasury;
import io.tidemark.http.wire.Endpoints;
import io.tidemark.kafka.CommittedRecord;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.Simulator;
import io.tidemark.simulator.SimulatorSettings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class MirrorStoreTest {
  private static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  private static final String TRENDING = "/networks/eth/trending_pools?duration=5m&include=base_token,dex,quote_token";
  private static final Query.TrendingPools ASKED = (Query.TrendingPools) Endpoints.parseTarget(TRENDING);
  private static final String POOL = "eth_0xa";
  private static final Query.PoolByAddress ONE = new Query.PoolByAddress("eth", "0xa", Set.of(), false, false);

  private final MirrorStore store = new MirrorStore(TOPICS, Endpoints::parseTarget, List.of(), day -> false);
  private final Mirror mirror = mirror(store);

  private static Mirror mirror(MirrorStore store) {
    return new Mirror(store, () -> NOW.plusSeconds(120), Schedulers.parallel());
  }

  private static Simulator simulator() {
    return new Simulator(
        new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));
  }

  /** The records of two snapshots of one list, a minute apart: the first snapshot's, the second's. */
  private static List<List<CommittedRecord>> twoSnapshots() {
    return twoSnapshots(Duration.ofSeconds(60));
  }

  private static List<List<CommittedRecord>> twoSnapshots(Duration gap) {
    try (var market = new MirroredMarket(simulator()::at, NOW)) {
      market.poll(TRENDING, 1);
      var first = List.copyOf(market.records);
      market.now = NOW.plus(gap);
      market.poll(TRENDING, 1);
      return List.of(first, List.copyOf(market.records.subList(first.size(), market.records.size())));
    }
  }

  /** The records of a transaction come partition by partition, in any order of the partitions. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void order_isShownWhenAllItsPoolsAreThere_andTheOldOneUntilThen(long seed) {
    var snapshots = twoSnapshots();
    snapshots.getFirst().forEach(store::apply);
    store.readAllUntil(0);
    var before = ids(ask(ASKED));
    var second = new ArrayList<>(snapshots.getLast());
    var named = second.stream().filter(record -> record.value() instanceof RankingState).findFirst()
        .map(record -> ((RankingState) record.value()).getKnown().getOrder()).orElseThrow();
    Collections.shuffle(second, new Random(seed));

    for (var record : second) {
      store.apply(record);

      var shown = ids(ask(ASKED));
      if (shown.equals(named.getEntries())) {
        for (var i = 0; i < shown.size(); i++) {
          assertThat(store.of("pool", Pool.class).find(shown.get(i)).revision())
              .isGreaterThanOrEqualTo(named.getRevisions().get(i));
        }
      } else {
        assertThat(shown).isEqualTo(before);
      }
    }
    assertThat(before).isNotEqualTo(named.getEntries());
    assertThat(ids(ask(ASKED))).isEqualTo(named.getEntries());
  }

  @Test
  void answer_whoseOrderWaits_isNotYoungerThanThatOrder() {
    var snapshots = twoSnapshots();
    snapshots.getFirst().forEach(store::apply);
    store.readAllUntil(0);
    snapshots.getLast().stream().filter(record -> !(record.value() instanceof PoolState)).forEach(store::apply);

    assertThat(ask(ASKED).asOf()).isEqualTo(NOW);

    snapshots.getLast().forEach(store::apply);
    assertThat(ask(ASKED).asOf()).isEqualTo(NOW.plusSeconds(60));
    assertThat(ask(ASKED).maxAge()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void answer_afterAnOutage_isFreshForFiveMinutes() {
    twoSnapshots(Duration.ofHours(8)).forEach(snapshot -> snapshot.forEach(store::apply));
    store.readAllUntil(0);

    assertThat(ask(ASKED).asOf()).isEqualTo(NOW.plus(Duration.ofHours(8)));
    assertThat(ask(ASKED).maxAge()).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void order_whosePoolNeverComes_isShownOnceAllIsRead() {
    var snapshots = twoSnapshots();
    snapshots.getFirst().forEach(store::apply);
    store.readAllUntil(0);
    store.setTime(100);
    var second = snapshots.getLast().stream().filter(record -> !(record.value() instanceof PoolState)).toList();
    second.forEach(store::apply);
    var before = ids(ask(ASKED));

    store.readAllUntil(100);
    assertThat(ids(ask(ASKED))).isEqualTo(before);
    store.readAllUntil(101);
    assertThat(ids(ask(ASKED))).isNotEqualTo(before);
  }

  @Test
  void mirrorThatIsNotCaughtUp_fails() {
    twoSnapshots().getFirst().forEach(store::apply);

    assertThatThrownBy(() -> ask(ASKED)).isInstanceOf(Failure.ServerError.class);
  }

  @Test
  void invisiblePoolOfOldRevision_isForgottenOnceNoTargetShowsIt() {
    store.apply(
        committed(TOPICS.targetMembers(), TRENDING + "#1", new TargetMembers(TRENDING, 1, List.of(POOL), null), 1));
    store.apply(pool(1, true, null));
    store.apply(pool(2, false, null));
    assertThat(store.size()).isEqualTo(1);

    store.apply(committed(TOPICS.targetMembers(), TRENDING + "#1", new TargetMembers(TRENDING, 1, List.of(), null), 3));

    assertThat(store.size()).isZero();
  }

  @Test
  void poolThatLeftItsList_isNotFound_whileATokenOfItsAddressIsIncluded() {
    var other = "/networks/eth/pools/0xb";
    var token = "/networks/eth/tokens/0xa";
    store.apply(members(TRENDING, 1, POOL));
    store.apply(members(other, 0, POOL));
    store.apply(members(token, 1, POOL, "eth_0xc"));
    for (var target : List.of(other, token)) {
      store.apply(committed(TOPICS.targetState(), target, TargetState.newBuilder().setTarget(target)
          .setObservedPages(1).setObservedAt(NOW.plusSeconds(60)).build(), 1));
    }
    store.apply(pool(1, true, null));
    store.readAllUntil(0);

    store.apply(members(TRENDING, 1));
    assertThat(ask(ONE).asOf()).as("time of its own state").isEqualTo(NOW);

    store.apply(pool(2, false, null));
    assertThatThrownBy(() -> ask(ONE)).isInstanceOf(Failure.NotFound.class);
    assertThat(store.search().find("0xa", null, 10)).isEmpty();
  }

  @Test
  void poolThatATokenLists_isKnown_alsoIfItHasTheAddressOfThatToken() {
    store.apply(members("/networks/eth/tokens/0xa", 1, POOL, POOL));
    store.apply(pool(1, false, null));

    assertThat(store.size()).isEqualTo(1);
    store.apply(members("/networks/eth/tokens/0xa", 1, POOL));
    assertThat(store.size()).isZero();
  }

  @Test
  void poolIsStillFound_afterTheTokenOfItsAddressWasRemoved() {
    var token = Token.newBuilder().setId(POOL).setNetwork("eth").setAddress("0xa").build();
    store.apply(pool(1, true, null));
    store.apply(committed(TOPICS.token().state(), POOL,
        TokenState.newBuilder().setKnown(token).setVisible(true).build(), 1));

    store.apply(committed(TOPICS.token().state(), POOL, null, 2));

    assertThat(store.search().find("0xa", null, 10)).containsExactly(POOL);
  }

  @Test
  void visiblePoolThatNoTargetShows_isKnown_untilItIsNot() {
    store.apply(pool(1, true, null));
    store.readAllUntil(0);
    assertThat(ask(ONE).body().read().data().resource().getDescription().getName()).isEqualTo("A / B");

    store.apply(pool(2, false, null));
    assertThatThrownBy(() -> ask(ONE)).isInstanceOf(Failure.NotFound.class);
  }

  @Test
  void removedPool_isNotFound() {
    store.apply(pool(1, true, null));
    store.readAllUntil(0);

    store.apply(pool(2, true, "not_found"));

    assertThatThrownBy(() -> ask(ONE)).isInstanceOf(Failure.NotFound.class);
    assertThat(store.search().find("0xa", null, 10)).isEmpty();
  }

  @Test
  void tombstone_forgets() {
    store.apply(pool(1, true, null));

    store.apply(committed(TOPICS.pool().state(), POOL, null, 5));

    assertThat(store.size()).isZero();
  }

  @Test
  void forgottenTarget_leavesWithPoolsOnlyItShows_andMayReturn() {
    var target = TargetState.newBuilder().setTarget(TRENDING).setOperation("trending_pools").setObservedPages(1)
        .setObservedAt(NOW).build();
    var page = new TargetMembers(TRENDING, 1, List.of(POOL), null);
    store.apply(committed(TOPICS.targetMembers(), TRENDING + "#1", page, 1));
    store.apply(committed(TOPICS.targetState(), TRENDING, target, 1));
    store.apply(pool(1, true, null));
    store.apply(pool(2, false, null));
    assertThat(List.of(store.targets().size(), store.size())).containsExactly(1, 1);

    store.apply(committed(TOPICS.targetMembers(), TRENDING + "#1", null, 3));
    store.apply(committed(TOPICS.targetState(), TRENDING, null, 3));
    assertThat(List.of(store.targets().size(), store.size())).containsExactly(0, 0);
    assertThat(store.targets().find(ASKED)).isNull();

    store.apply(committed(TOPICS.targetMembers(), TRENDING + "#1", page, 4));
    store.apply(committed(TOPICS.targetState(), TRENDING, target, 4));
    assertThat(store.targets().shown(Objects.requireNonNull(store.targets().find(ASKED)))).containsExactly(POOL);
  }

  static Stream<Query<?>> unwatched() {
    return Stream.of(
        "/networks/eth/tokens/0xb", "/networks/eth/dexes/curve/pools", "/networks/eth/trending_pools?duration=1h",
        "/networks/base/new_pools", "/networks/eth/tokens/0xb/pools", "/networks/eth/pools/0xb", "/global",
        "/coins/bitcoin/history?date=02-05-2026", "/coins/bitcoin/tickers", "/derivatives/exchanges/deribit",
        "/public_treasury/strategy", "/asset_platforms").map(Endpoints::parseTarget);
  }

  @ParameterizedTest
  @MethodSource("unwatched")
  void unwatchedQuery_isNotFound_withTheConfigurationToWatchIt(Query<?> query) {
    store.readAllUntil(0);

    assertThatThrownBy(() -> query.askOf(mirror).block())
        .isInstanceOf(Failure.NotFound.class)
        .hasMessageContaining("watch: { ");
  }

  @Test
  void configuredQuery_isAwaited_untilItIsAnswered_orRefused() {
    var awaiting = new MirrorStore(TOPICS, Endpoints::parseTarget, List.of(ASKED, ONE), day -> false);
    var asked = mirror(awaiting);
    awaiting.readAllUntil(0);
    assertThatThrownBy(() -> ASKED.withPage(2).askOf(asked).block()).isInstanceOf(Failure.ServerError.class)
        .hasMessageContaining("is watched");
    assertThatThrownBy(() -> ONE.askOf(asked).block()).isInstanceOf(Failure.ServerError.class);
    assertThatThrownBy(() -> new Query.NewPools("eth", Set.of(), 1, false).askOf(asked).block())
        .isInstanceOf(Failure.NotFound.class);

    awaiting.apply(committed(TOPICS.targetState(), TRENDING, TargetState.newBuilder().setTarget(TRENDING)
        .setOperation("trending_pools").setObservedPages(1).setComplete(false).build(), 1));
    assertThatThrownBy(() -> ASKED.askOf(asked).block()).as("without its second page")
        .isInstanceOf(Failure.ServerError.class);

    twoSnapshots().getFirst().forEach(awaiting::apply);
    awaiting.apply(state("/networks/eth/pools/0xa", null));
    assertThat(ids(ASKED.askOf(asked).block())).isNotEmpty();
    assertThatThrownBy(() -> ONE.askOf(asked).block()).isInstanceOf(Failure.ServerError.class);

    awaiting.apply(state("/networks/eth/pools/0xa",
        TargetRetry.newBuilder().setLooksFinal(true).setReason("404: \"no such pool\"").build()));
    assertThatThrownBy(() -> ONE.askOf(asked).block()).isInstanceOf(Failure.NotFound.class)
        .hasMessageContaining("the service refuses it: 404: ");

    awaiting.apply(state("/networks/eth/pools/0xa", TargetRetry.newBuilder().build()));
    assertThatThrownBy(() -> ONE.askOf(asked).block()).isInstanceOf(Failure.ServerError.class);
  }

  @Test
  void dayOfAConfiguredHistory_isAwaited() {
    var yesterday = LocalDate.of(2026, 3, 9);
    var awaiting = new MirrorStore(TOPICS, Endpoints::parseTarget, List.of(),
        day -> day.id().equals("bitcoin") && day.date().equals(yesterday));
    awaiting.readAllUntil(0);
    var asked = mirror(awaiting);

    assertThatThrownBy(() -> new Query.CoinHistory("bitcoin", yesterday, true).askOf(asked).block())
        .isInstanceOf(Failure.ServerError.class).hasMessageContaining("is watched");
    assertThatThrownBy(() -> new Query.CoinHistory("bitcoin", yesterday.minusDays(1), true).askOf(asked).block())
        .isInstanceOf(Failure.NotFound.class);
  }

  @Test
  void addedTarget_isAwaited_fromItsFirstFailedPollToTheEndOfItsState() {
    store.readAllUntil(0);
    store.apply(state("/networks/eth/pools/0xb", TargetRetry.newBuilder().setNextAt(NOW.minusSeconds(3600)).build()));
    assertThatThrownBy(() -> ask(new Query.PoolByAddress("eth", "0xb", Set.of(), false, false)))
        .as("removed an hour ago").isInstanceOf(Failure.NotFound.class).hasMessageContaining("is not watched");

    store.apply(state("/networks/eth/pools/0xa", TargetRetry.newBuilder().setNextAt(NOW).build()));
    assertThatThrownBy(() -> ask(ONE)).isInstanceOf(Failure.ServerError.class).hasMessageContaining("is watched");

    store.apply(committed(TOPICS.targetState(), "/networks/eth/pools/0xa", null, 2));
    assertThatThrownBy(() -> ask(ONE)).isInstanceOf(Failure.NotFound.class);
  }

  /** The record of a target that was polled and never observed. */
  private static CommittedRecord state(String target, TargetRetry retry) {
    return committed(TOPICS.targetState(), target, TargetState.newBuilder().setTarget(target).setRetry(retry).build(),
        1);
  }

  @Test
  void unknownPool_isNotFound_withTextThatNeedsNoEscapingInJson() {
    store.readAllUntil(0);

    assertThatThrownBy(() -> ask(new Query.PoolByAddress("eth", "0xunknown", Set.of(), false, false)))
        .isInstanceOf(Failure.NotFound.class)
        .hasMessage(
            "Pool 0xunknown is not watched, and no watched list shows it. This mirror answers from what Tidemark"
                + " watches. To watch this query, run 'tidemark watch add' or add to the source's configuration: "
                + "watch: "
                + "{ networks: { 'eth': { pools: { '0xunknown': {} } } } }");
  }

  @Test
  void pageBeyondTheWatchedOnes_isNotFound_andSaysWhy() {
    twoSnapshots().getFirst().forEach(store::apply);
    store.readAllUntil(0);

    assertThatThrownBy(() -> ask(ASKED.withPage(2))).isInstanceOf(Failure.NotFound.class).hasMessageContaining("pages");
  }

  @Test
  void tickersOfSomeExchanges_ofAListWatchedInPart_areNotFound_unlessTheyAreWatched() {
    var partial = Endpoints.parseTarget("/coins/bitcoin/tickers");
    var tickers = new MirrorStore(TOPICS, Endpoints::parseTarget, List.of(partial), day -> false);
    try (var market = new MirroredMarket(simulator()::at, NOW)) {
      market.poll("/coins/bitcoin/tickers?exchange_ids=kraken", 1);
      market.now = NOW.plusSeconds(60);
      market.poll(partial, 1);
      for (var record : market.records) {
        if (record.value() instanceof TargetState state && state.getTarget().equals(Endpoints.targetName(partial))) {
          state.setExhausted(false);
        }
        tickers.apply(record);
      }
    }
    tickers.readAllUntil(0);
    var asked = mirror(tickers);
    var kraken = (Query.CoinTickers) Endpoints.parseTarget("/coins/bitcoin/tickers?exchange_ids=kraken");
    var binance = (Query.CoinTickers) Endpoints.parseTarget("/coins/bitcoin/tickers?exchange_ids=binance");

    var found = kraken.askOf(asked).block();

    assertThat(found.asOf()).as("from the older target, which has all of them").isBeforeOrEqualTo(NOW);
    assertThat(found.body().read().tickers()).isNotEmpty()
        .allSatisfy(ticker -> assertThat(ticker.resource().getMarket()).isEqualTo("kraken"));
    assertThatThrownBy(() -> binance.askOf(asked).block()).isInstanceOf(Failure.NotFound.class)
        .hasMessageContaining("watch: { coins: { 'bitcoin': { tickers: { exchange-ids: 'binance' } } } }");
    assertThat(((Query.CoinTickers) partial).askOf(asked).block()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"?exchange_ids=kraken,binance", "?exchange_ids=binance,%20kraken", "?exchange_ids=kraken"})
  void tickersOfExchanges_areFound_inAnyOrder(String asked) {
    try (var market = new MirroredMarket(simulator()::at, NOW)) {
      market.poll("/coins/bitcoin/tickers?exchange_ids=binance,kraken", 1);
      var query = (Query.CoinTickers) Endpoints.parseTarget("/coins/bitcoin/tickers" + asked);
      if (asked.contains("binance")) {
        assertThat(query.askOf(market.mirror()).block().body().read().tickers())
            .extracting(ticker -> ticker.resource().getMarket()).contains("kraken").containsOnly("kraken", "binance");
      } else {
        assertThatThrownBy(() -> query.askOf(market.mirror()).block()).isInstanceOf(Failure.NotFound.class);
      }
    }
  }

  @Test
  void tickersOfNoExchange_areThoseOfAll() {
    try (var market = new MirroredMarket(simulator()::at, NOW)) {
      market.poll("/coins/bitcoin/tickers", 1);
      var query = (Query.CoinTickers) Endpoints.parseTarget("/coins/bitcoin/tickers?exchange_ids=");

      assertThat(query.askOf(market.mirror()).block().body().read().tickers()).isNotEmpty();
    }
  }

  /** The service answers the old id of an entity that got another one. */
  @Test
  void treasury_isFoundByTheIdThatIsWatched() {
    var renamed = new TreasuryAnswer(Observation.of(Treasury.newBuilder().setId("new-id").build()), List.of());
    var old = new Query.PublicTreasury("old-id", Set.of(), Set.of());
    try (var market = new MirroredMarket(at -> new Only(new Answer<>(old, Body.of(renamed), "digest", at, at, at, null,
        null, null)).marketData(), NOW)) {
      market.poll(old, 1);

      assertThat(old.askOf(market.mirror()).block().body().read().treasury().resource().getId()).isEqualTo("new-id");
    }
  }

  /** A service that gives one answer to every query. */
  private record Only(Answer<?> answer) {

    MarketData marketData() {
      return (MarketData) Proxy.newProxyInstance(MarketData.class.getClassLoader(), new Class<?>[] {MarketData.class},
          (proxy, method, arguments) -> Mono.just(answer));
    }
  }

  @Test
  void searchText_isBounded() {
    store.readAllUntil(0);

    assertThatThrownBy(() -> ask(new Query.SearchPools("x".repeat(201), null, Set.of(), 1)))
        .isInstanceOf(Failure.BadRequest.class);
    assertThat(ids(ask(new Query.SearchPools("x ".repeat(100), null, Set.of(), 10)))).isEmpty();
  }

  private <A> Answer<A> ask(Query<A> query) {
    return query.askOf(mirror).block();
  }

  private static List<String> ids(Answer<OnChainAnswer<List<Observation<Pool>>>> answer) {
    return answer.body().read().data().stream().map(pool -> pool.resource().getId()).toList();
  }

  private static CommittedRecord members(String target, int page, String... keys) {
    return committed(
        TOPICS.targetMembers(), target + "#" + page, new TargetMembers(target, page, List.of(keys), null), 1);
  }

  private static CommittedRecord pool(long revision, boolean visible, String removed) {
    var known = Pool.newBuilder().setId(POOL).setNetwork("eth").setAddress("0xa")
        .setDescription(PoolDescription.newBuilder().setName("A / B").build()).build();
    var state = PoolState.newBuilder().setKnown(known).setGeneration(NOW).setRevision(revision)
        .setFirstObservedAt(NOW).setObservedAt(NOW).setVisible(visible).setRemoved(removed).build();
    return committed(TOPICS.pool().state(), POOL, state, revision);
  }
}
