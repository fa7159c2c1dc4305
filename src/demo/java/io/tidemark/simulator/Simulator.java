package io.tidemark.simulator;

import io.tidemark.event.CoinDay;
import io.tidemark.event.Global;
import io.tidemark.event.Platform;
import io.tidemark.event.Pool;
import io.tidemark.event.Sha256;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Body;
import io.tidemark.market.Answer.DerivativesAnswer;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TickersAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Answer.TreasuryAnswer;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.simulator.DerivativesOperation.ContractIncidents;
import io.tidemark.simulator.PoolDirectory.LaunchConditions;
import io.tidemark.simulator.PoolDirectory.PoolIncidents;
import io.tidemark.simulator.TreasuryOperation.HoldingIncidents;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.LongFunction;
import reactor.core.publisher.Mono;

/**
 * A simulated market that answers all 13 operations consistently. An answer depends only on the settings, the query
 * and the time, not on earlier queries.
 */
public final class Simulator implements MarketData {
  private final MarketModel market;
  private final InstantSource clock;

  public Simulator(SimulatorSettings settings, InstantSource clock) {
    this(new MarketModel(settings), clock);
  }

  private Simulator(MarketModel market, InstantSource clock) {
    this.market = market;
    this.clock = clock;
  }

  /** Returns the same market at the given instant, past or future. */
  public MarketData at(Instant instant) {
    return new Simulator(market, InstantSource.fixed(instant));
  }

  /**
   * Returns an answer that is computed upon subscription, as of the clock's time in epoch milliseconds. The answer has
   * no encoded body, so its digest is computed from the text form of its value. Equal values have equal text forms.
   */
  private <A> Mono<Answer<A>> answer(Query<A> query, LongFunction<A> compute) {
    return Mono.fromSupplier(() -> {
      var now = clock.instant();
      market.faults.failIfDue(query.operation(), now.toEpochMilli());
      var value = compute.apply(now.toEpochMilli());
      return new Answer<>(query, Body.of(value), Sha256.hex(String.valueOf(value)), now, now, now, null, null, null);
    });
  }

  @Override
  public Mono<Answer<OnChainAnswer<TokenAnswer>>> token(Query.TokenByAddress query) {
    return answer(query, at -> market.pools.token(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> dexPools(Query.DexPools query) {
    return answer(query, at -> market.pools.dexPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> trendingPools(Query.TrendingPools query) {
    return answer(query, at -> market.pools.trendingPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> newPools(Query.NewPools query) {
    return answer(query, at -> market.pools.newPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> searchPools(Query.SearchPools query) {
    return answer(query, at -> market.pools.searchPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<List<Observation<Pool>>>>> tokenPools(Query.TokenPools query) {
    return answer(query, at -> market.pools.tokenPools(at, query));
  }

  @Override
  public Mono<Answer<OnChainAnswer<Observation<Pool>>>> pool(Query.PoolByAddress query) {
    return answer(query, at -> market.pools.pool(at, query));
  }

  @Override
  public Mono<Answer<Observation<Global>>> global(Query.GlobalMarket query) {
    return answer(query, at -> market.global.answer(at));
  }

  @Override
  public Mono<Answer<Observation<CoinDay>>> coinHistory(Query.CoinHistory query) {
    return answer(query, at -> market.history.answer(at, query));
  }

  @Override
  public Mono<Answer<TickersAnswer>> coinTickers(Query.CoinTickers query) {
    return answer(query, at -> market.tickers.answer(at, query));
  }

  @Override
  public Mono<Answer<DerivativesAnswer>> derivativesExchange(Query.DerivativesExchangeById query) {
    return answer(query, at -> market.derivatives.answer(at, query));
  }

  @Override
  public Mono<Answer<TreasuryAnswer>> treasury(Query.PublicTreasury query) {
    return answer(query, at -> market.treasury.answer(at, query));
  }

  @Override
  public Mono<Answer<List<Observation<Platform>>>> assetPlatforms(Query.AssetPlatforms query) {
    return answer(query, at -> market.platforms.answer(at, query));
  }

  /**
   * The parts of a simulated market, wired from its settings. No part has any state except caches; each is a function
   * of time.
   */
  private static final class MarketModel {
    final FaultInjector faults;
    final PoolOperations pools;
    final CoinTickersOperation tickers;
    final DerivativesOperation derivatives;
    final TreasuryOperation treasury;
    final GlobalOperation global;
    final CoinHistoryOperation history;
    final AssetPlatformsOperation platforms;

    private final SimulatorSettings settings;

    MarketModel(SimulatorSettings settings) {
      this.settings = settings;
      var random = new StatelessRandom(StatelessRandom.mix(settings.seed()));
      var speed = new MarketSpeed(settings.speed());
      boolean quiet = settings.scenario().isQuiet();
      boolean dirty = settings.scenario() == Scenario.DIRTY_DATA;

      var coins = new CoinPrices(
          random.derive("coins"), speed, quiet, incident(Scenario.DEPEG), incident(Scenario.DOMINANCE_SHIFT));
      var currencies = new CurrencyRates(random.derive("currencies"), coins, speed);
      var poolIncidents = new PoolIncidents(
          incident(Scenario.PUMP), incident(Scenario.RUG_PULL), incident(Scenario.WASH_TRADING));
      var launches = new LaunchConditions(
          settings.scenario().launchRate(), quiet, incident(Scenario.NEW_POOL), incident(Scenario.GRADUATION));
      var directory = new PoolDirectory(random, speed, coins, dirty, poolIncidents, launches);
      var opinions = new PoolSentimentModel(random.derive("opinions"), speed, incident(Scenario.REPORTS));
      var spot = new SpotTickers(random.derive("spot"), speed, coins, currencies, quiet,
          incident(Scenario.STALE_TICKER), incident(Scenario.DISPERSION));

      faults = new FaultInjector(random.derive("dirt"), dirty, incident(Scenario.OUTAGE));
      pools = new PoolOperations(coins, directory, opinions, faults, quiet,
          incident(Scenario.TRENDING), incident(Scenario.CLIMBING));
      tickers = new CoinTickersOperation(coins, spot, directory);
      derivatives = new DerivativesOperation(random.derive("derivatives"), speed, coins, quiet, new ContractIncidents(
          incident(Scenario.OPEN_INTEREST_JUMP), incident(Scenario.BASIS_SPIKE), incident(Scenario.FUNDING_SPIKE)));
      treasury = new TreasuryOperation(random.derive("treasuries"), speed, coins, quiet, new HoldingIncidents(
          incident(Scenario.TREASURY_OPEN), incident(Scenario.TREASURY_BUY), incident(Scenario.TREASURY_SELL),
          incident(Scenario.TREASURY_CLOSE)));
      global = new GlobalOperation(coins, currencies, spot.markets());
      history = new CoinHistoryOperation(random.derive("history"), coins, currencies);
      platforms = new AssetPlatformsOperation(
          random.derive("platforms"), speed, quiet, incident(Scenario.NEW_PLATFORM));
    }

    /** Returns the incident of the given scenario. The incident never happens if the market is in another scenario. */
    private Incident incident(Scenario scenario) {
      return settings.scenario() == scenario
          ? new Incident(true, settings.incident().toEpochMilli())
          : Incident.NONE;
    }
  }
}
