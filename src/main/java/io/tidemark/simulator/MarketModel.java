package io.tidemark.simulator;

import io.tidemark.simulator.DerivativesOperation.ContractIncidents;
import io.tidemark.simulator.PoolDirectory.LaunchConditions;
import io.tidemark.simulator.PoolDirectory.PoolIncidents;
import io.tidemark.simulator.TreasuryOperation.HoldingIncidents;

/** The parts of a simulated market, wired from its settings. No part has a state: each is a function of time. */
final class MarketModel {
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
    tickers = new CoinTickersOperation(coins, spot, new PoolTickers(directory));
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

  /** The incident of a scenario; none where the market is in another scenario. */
  private Incident incident(Scenario scenario) {
    return settings.scenario() == scenario
        ? new Incident(true, settings.incident().toEpochMilli())
        : Incident.NONE;
  }
}
