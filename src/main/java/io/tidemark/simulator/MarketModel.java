package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.market.Include;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.Query;
import io.tidemark.simulator.coin.AssetPlatformsOperation;
import io.tidemark.simulator.coin.CoinHistoryOperation;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.coin.CurrencyRates;
import io.tidemark.simulator.coin.GlobalOperation;
import io.tidemark.simulator.exchange.CoinTickersOperation;
import io.tidemark.simulator.exchange.DerivativesOperation;
import io.tidemark.simulator.exchange.PoolOffers;
import io.tidemark.simulator.exchange.SpotOffers;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.StatelessRandom;
import io.tidemark.simulator.pool.AddressCodec;
import io.tidemark.simulator.pool.FaultInjector;
import io.tidemark.simulator.pool.IncludedResources;
import io.tidemark.simulator.pool.Network;
import io.tidemark.simulator.pool.PoolCatalogueBuilder;
import io.tidemark.simulator.pool.PoolDetail;
import io.tidemark.simulator.pool.PoolDetail.Part;
import io.tidemark.simulator.pool.PoolDirectory;
import io.tidemark.simulator.pool.PoolObservations;
import io.tidemark.simulator.pool.PoolOperations;
import io.tidemark.simulator.pool.PoolOpinions;
import io.tidemark.simulator.pool.TokenLaunches;
import io.tidemark.simulator.pool.TokenNames;
import io.tidemark.simulator.pool.TokenObservations;
import io.tidemark.simulator.pool.Tokens;
import io.tidemark.simulator.treasury.TreasuryOperation;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** All there is, made once from the settings; nothing in it changes but by the time it is asked about. */
final class MarketModel {
  final FaultInjector faults;
  private final PoolDirectory book;
  private final PoolObservations pools;
  private final IncludedResources inclusion;
  final PoolOperations lists;
  final Tokens tokens;
  final CoinTickersOperation tickers;
  final DerivativesOperation derivatives;
  final TreasuryOperation treasuries;
  final GlobalOperation globals;
  final CoinHistoryOperation history;
  final AssetPlatformsOperation platforms;

  MarketModel(SimulatorSettings settings) {
    var random = new StatelessRandom(StatelessRandom.mix(settings.seed()));
    var speed = new MarketSpeed(settings.speed());
    var incident = Incident.of(settings);
    var coins = new CoinPrices(random.derive("coins"), speed, incident);
    var currencies = new CurrencyRates(random.derive("currencies"), coins, speed);
    book = book(random, speed, coins, settings);
    faults = new FaultInjector(random.derive("dirt"), incident);
    pools = new PoolObservations(coins, book, new PoolOpinions(random.derive("opinions"), speed, incident), faults);
    var tokenView = new TokenObservations(coins, book, faults);
    inclusion = new IncludedResources(book, tokenView);
    lists = new PoolOperations(book, pools, inclusion, faults, incident);
    tokens = new Tokens(book, pools, tokenView);
    var spot = new SpotOffers(random.derive("spot"), speed, coins, currencies, incident);
    tickers = new CoinTickersOperation(coins, spot, new PoolOffers(book));
    derivatives = new DerivativesOperation(random.derive("derivatives"), speed, coins, incident);
    treasuries = new TreasuryOperation(random.derive("treasuries"), speed, coins, incident);
    globals = new GlobalOperation(coins, currencies, spot.markets());
    history = new CoinHistoryOperation(random.derive("history"), coins, currencies);
    platforms = new AssetPlatformsOperation(random.derive("platforms"), speed, incident);
  }

  /** Operation 7. */
  OnChainAnswer<Observation<Pool>> pool(long at, Query.PoolByAddress query) {
    var pool = book.pool(Network.of(query.network()), query.address(), at);
    var detail = PoolDetail.none()
        .with(Part.SINGLE, true)
        .with(Part.COMPOSITION, query.composition())
        .with(Part.BREAKDOWN, query.volumeBreakdown())
        .with(Part.DEX_NAME, query.include().contains(Include.DEX));
    return new OnChainAnswer<>(pools.view(pool, at, detail), inclusion.of(List.of(pool), query.include(), at));
  }

  private static PoolDirectory book(StatelessRandom random, MarketSpeed speed, CoinPrices coins,
      SimulatorSettings settings) {
    var addresses = new AddressCodec(random.derive("addresses"));
    var names = new TokenNames(settings.scenario());
    var catalogue = new PoolCatalogueBuilder(random.derive("catalogue"), speed, addresses, coins, Incident.of(settings))
        .catalogue(names);
    Map<Network, TokenLaunches> launches = new EnumMap<>(Network.class);
    for (var network : Network.values()) {
      launches.put(network, new TokenLaunches(network, random.derive(network.id()), settings, addresses, catalogue));
    }
    return new PoolDirectory(catalogue, launches);
  }
}
