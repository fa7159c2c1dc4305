package io.tidemark.simulator;

import static io.tidemark.simulator.SimulatorFixture.NOW;
import static io.tidemark.simulator.SimulatorFixture.ask;
import static io.tidemark.simulator.SimulatorFixture.calm;
import static io.tidemark.simulator.SimulatorFixture.pools;
import static io.tidemark.simulator.SimulatorFixture.resources;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Pool;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import io.tidemark.market.Query.DexPairFormat;
import io.tidemark.market.Query.IncludeTickers;
import io.tidemark.market.Query.TickerOrder;
import io.tidemark.market.Query.TrendingDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** At the speed of the demo something of every kind changes within two minutes; at speed 1 the market is calm. */
class SimulatorSpeedTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Query.CoinTickers TICKERS = new Query.CoinTickers(
      "bitcoin", null, false, 1, TickerOrder.TRUST_SCORE_DESC, true, DexPairFormat.CONTRACT_ADDRESS);
  private static final Query.DerivativesExchangeById EXCHANGE =
      new Query.DerivativesExchangeById("binance_futures", IncludeTickers.UNEXPIRED);
  private static final Query.PublicTreasury TREASURY = new Query.PublicTreasury("strategy", Set.of(), Set.of());
  private static final Query.TokenByAddress TOKEN =
      new Query.TokenByAddress("eth", SimulatorFixture.WETH, false, false, false);

  static final List<Kind> KINDS = List.of(
      new Kind("pool",
          market -> price(ask(market, SimulatorFixture.pool("eth", SimulatorFixture.POOL)).data().resource())),
      new Kind("token", market -> ask(market, TOKEN).data().token().resource().getPrice()),
      new Kind("trending", market -> ids(pools(market, SimulatorFixture.trending("solana", TrendingDuration.M5)))),
      new Kind("new", market -> ids(pools(market, SimulatorFixture.newPools("solana", 1)))),
      new Kind("global", market -> ask(market, new Query.GlobalMarket()).resource().getMarketCap()),
      new Kind("ticker", market -> ask(market, TICKERS).tickers().getFirst().resource().getPrice()),
      new Kind("derivatives-exchange", market -> ask(market, EXCHANGE).exchange().resource().getOpenInterest()),
      new Kind("contract", market -> ask(market, EXCHANGE).tickers().getFirst().resource().getFunding()),
      new Kind("treasury", market -> ask(market, TREASURY).treasury().resource().getValuation()),
      new Kind("holding", market -> ask(market, TREASURY).holdings().getFirst().resource().getValuation()),
      new Kind("platform", market -> ask(market, new Query.AssetPlatforms(null))));

  /** A kind of resource, and figures of one resource that change. */
  record Kind(String name, Function<MarketData, Object> figures) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Arguments> kindsAndSeeds() {
    return LongStream.rangeClosed(1, 3)
        .boxed()
        .flatMap(seed -> KINDS.stream().map(kind -> Arguments.of(kind, seed)));
  }

  private static Object price(Pool pool) {
    return pool.getPrice();
  }

  private static List<String> ids(List<Pool> pools) {
    return pools.stream().map(Pool::getId).toList();
  }

  @ParameterizedTest
  @MethodSource("kindsAndSeeds")
  void everyKind_atTheDemosSpeed_changesWithinTwoMinutes(Kind kind, long seed) {
    var before = kind.figures().apply(calm(seed).at(NOW));

    var after = kind.figures().apply(calm(seed).at(NOW.plus(SOON)));

    assertThat(after).isNotEqualTo(before);
  }

  @Test
  void launchesOnSolana_atTheDemosSpeed_comeEveryFewSeconds() {
    assertThat(launched(SimulatorSettings.DEMO_SPEED, Scenario.CALM)).isBetween(15L, 25L);
  }

  @Test
  void launchesOnSolana_atSpeedOne_comeEveryMinuteOrSo() {
    assertThat(launched(1, Scenario.CALM)).isBetween(0L, 2L);
  }

  @Test
  void launchesOnSolana_onALaunchDay_areTenTimesAsMany() {
    assertThat(launched(1, Scenario.LAUNCH_DAY)).isBetween(8L, 12L);
  }

  /** How many of the newest forty pools are of the last minute. */
  private static long launched(double speed, Scenario scenario) {
    var market = new Simulator(new SimulatorSettings(4, scenario, speed), InstantSource.fixed(NOW));
    return Stream.of(1, 2)
        .flatMap(page -> pools(market, SimulatorFixture.newPools("solana", page)).stream())
        .filter(pool -> pool.getDescription().getDex().equals("pump-fun"))
        .filter(pool -> Instant.parse(pool.getDescription().getPoolCreatedAt()).isAfter(NOW.minusSeconds(60)))
        .count();
  }

  @Test
  void holdings_atTheDemosSpeed_areTradedSometimes() {
    var amounts = Stream.iterate(NOW, time -> time.plus(Duration.ofMinutes(30)))
        .limit(12)
        .map(time -> resources(ask(calm(1).at(time), TREASURY).holdings()).getFirst().getPosition().getAmount());

    assertThat(amounts.distinct().count()).isBetween(3L, 12L);
  }

  @Test
  void platforms_atTheDemosSpeed_areAddedSometimes() {
    var before = ask(calm(1).at(NOW), new Query.AssetPlatforms(null));

    var after = ask(calm(1).at(NOW.plus(Duration.ofMinutes(30))), new Query.AssetPlatforms(null));

    var known = resources(before).stream().map(platform -> platform.getKey()).toList();
    assertThat(resources(after)).anySatisfy(platform -> assertThat(known).doesNotContain(platform.getKey()));
  }
}
