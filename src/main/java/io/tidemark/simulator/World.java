package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.market.Include;
import io.tidemark.market.OnChain;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.simulator.Detail.Part;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** All there is, made once from the settings; nothing in it changes but by the time it is asked about. */
final class World {
  final Dirt dirt;
  private final PoolBook book;
  private final PoolView pools;
  private final Inclusion inclusion;
  final PoolLists lists;
  final Tokens tokens;
  final Tickers tickers;
  final Derivatives derivatives;
  final Treasuries treasuries;
  final Globals globals;
  final History history;
  final Platforms platforms;

  World(SimulatorSettings settings) {
    var noise = new Noise(Noise.mix(settings.seed()));
    var pace = new Pace(settings.speed());
    var incident = Incident.of(settings);
    var coins = new Coins(noise.of("coins"), pace, incident);
    var currencies = new Currencies(noise.of("currencies"), coins, pace);
    book = book(noise, pace, coins, settings);
    dirt = new Dirt(noise.of("dirt"), incident);
    pools = new PoolView(coins, book, new Opinions(noise.of("opinions"), pace, incident), dirt);
    var tokenView = new TokenView(coins, book, dirt);
    inclusion = new Inclusion(book, tokenView);
    lists = new PoolLists(book, pools, inclusion, dirt, incident);
    tokens = new Tokens(book, pools, tokenView);
    var spot = new SpotOffers(noise.of("spot"), pace, coins, currencies, incident);
    tickers = new Tickers(coins, spot, new PoolOffers(book));
    derivatives = new Derivatives(noise.of("derivatives"), pace, coins, incident);
    treasuries = new Treasuries(noise.of("treasuries"), pace, coins, incident);
    globals = new Globals(coins, currencies, spot.markets());
    history = new History(noise.of("history"), coins, currencies);
    platforms = new Platforms(noise.of("platforms"), pace, incident);
  }

  /** Operation 7. */
  OnChain<Seen<Pool>> pool(long at, Query.PoolByAddress query) {
    var pool = book.pool(Network.of(query.network()), query.address(), at);
    var detail = Detail.none()
        .with(Part.SINGLE, true)
        .with(Part.COMPOSITION, query.composition())
        .with(Part.BREAKDOWN, query.volumeBreakdown())
        .with(Part.DEX_NAME, query.include().contains(Include.DEX));
    return new OnChain<>(pools.view(pool, at, detail), inclusion.of(List.of(pool), query.include(), at));
  }

  private static PoolBook book(Noise noise, Pace pace, Coins coins, SimulatorSettings settings) {
    var addresses = new Addresses(noise.of("addresses"));
    var names = new Names(settings.scenario());
    var catalogue = new Founding(noise.of("catalogue"), pace, addresses, coins, Incident.of(settings)).catalogue(names);
    Map<Network, Launches> launches = new EnumMap<>(Network.class);
    for (var network : Network.values()) {
      launches.put(network, new Launches(network, noise.of(network.id()), settings, addresses, catalogue));
    }
    return new PoolBook(catalogue, launches);
  }
}
