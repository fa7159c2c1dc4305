package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.market.Answer.Dex;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Answer.OnChainAnswer;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Failure;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import io.tidemark.market.Query.IncludedResource;
import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.simulator.PoolObservations.RequestedPoolParts;
import io.tidemark.simulator.PoolObservations.RequestedPoolParts.Part;
import io.tidemark.simulator.RollingActivity.RollingWindow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Operations 1 to 7 of the service: a single token, ordered lists of pools, and a single pool. */
final class PoolOperations {

  /** The text of a search: an address, or terms that must all occur in names or symbols of a pool's tokens. */
  private record SearchText(String text) {
    SearchText {
      text = text.strip().toLowerCase(Locale.ROOT);
    }

    boolean matches(SimulatedPool pool) {
      return !text.isEmpty() && (hasAddress(pool) || isNamed(pool));
    }

    private boolean hasAddress(SimulatedPool pool) {
      return Stream.of(pool.address(), pool.base().address(), pool.quote().address()).anyMatch(text::equalsIgnoreCase);
    }

    private boolean isNamed(SimulatedPool pool) {
      var names = Stream.of(pool.base().name(), pool.base().symbol(), pool.quote().name(), pool.quote().symbol())
          .map(name -> name.toLowerCase(Locale.ROOT))
          .toList();
      return Arrays.stream(text.split("[\\s/]+"))
          .allMatch(term -> names.stream().anyMatch(name -> name.contains(term)));
    }
  }

  private record Ranked(SimulatedPool pool, double figure) {}

  private static final int TOP_POOLS = 3;
  private static final int NEW_POOLS_PER_PAGE = 20;

  /**
   * Place in the trending lists, counted from 0, of the pool that climbs in an incident, after the incident has begun.
   * Before, the place of the pool is {@code LOW}.
   */
  private static final int HIGH = 2;
  private static final int LOW = 14;

  private final PoolDirectory directory;
  private final PoolObservations pools;
  private final TokenObservations tokens;
  private final FaultInjector faults;
  private final boolean quiet;
  private final Incident trending;
  private final Incident climbing;

  /**
   * @param quiet whether trending lists order pools by their constant numbers of traders, so that only an incident,
   *     and launches further down, change these lists
   * @param trending incident in which a pool enters the trending lists
   * @param climbing incident in which a pool climbs in the trending lists
   */
  PoolOperations(CoinPrices coins, PoolDirectory directory, PoolSentimentModel opinions, FaultInjector faults,
      boolean quiet, Incident trending, Incident climbing) {
    this.directory = directory;
    this.pools = new PoolObservations(coins, directory, opinions, faults);
    this.tokens = new TokenObservations(coins, directory, faults);
    this.faults = faults;
    this.quiet = quiet;
    this.trending = trending;
    this.climbing = climbing;
  }

  OnChainAnswer<TokenAnswer> token(long at, Query.TokenByAddress query) {
    var token = directory.token(Network.of(query.network()), query.address(), at);
    var all = poolsHolding(token, query.inactiveSource(), at);
    var activities = all.stream().map(pool -> new RollingActivity(pool, at)).toList();
    var top = order(all.stream(), at, PoolOperations::weight).stream().limit(TOP_POOLS).toList();
    var answer = new TokenAnswer(
        tokens.single(token, activities, at), top.stream().map(SimulatedPool::id).toList());
    if (!query.topPools() || top.isEmpty()) {
      return new OnChainAnswer<>(answer, null);
    }
    var requested = RequestedPoolParts.NONE.with(Part.COMPOSITION, query.composition()).withPriceOf(token);
    return new OnChainAnswer<>(
        answer, new Included(observations(top, at, requested), List.of(), List.of()));
  }

  OnChainAnswer<List<Observation<Pool>>> dexPools(long at, Query.DexPools query) {
    var network = Network.of(query.network());
    if (!directory.exchanges(network).containsKey(query.dex())) {
      throw new Failure.NotFound("exchange not found: " + network.id() + " " + query.dex());
    }
    var found = active(network, at).filter(pool -> pool.dex().equals(query.dex()));
    var requested = listed(query.include(), query.community());
    return page(order(found, at, by(query.sort())), at, query.page(), query.include(), requested);
  }

  OnChainAnswer<List<Observation<Pool>>> trendingPools(long at, Query.TrendingPools query) {
    var found = active(Network.of(query.network()), at);
    var ordered = quiet
        ? withIncident(order(found, at, activity -> activity.pool().traders()), at)
        : order(found, at, by(query.duration()));
    return page(ordered, at, query.page(), query.include(), listed(query.include(), query.community()));
  }

  /**
   * Moves the pool that incidents affect to the place in the list that the incident gives it, or to the end if no
   * incident gives it a place.
   */
  private List<SimulatedPool> withIncident(List<SimulatedPool> ordered, long at) {
    var result = new ArrayList<>(ordered);
    result.removeIf(pool -> pool.base().isAffectedByIncidents());
    int place = result.size();
    if (trending.hasBegun(at)) {
      place = 0;
    } else if (climbing.planned()) {
      place = climbing.hasBegun(at) ? HIGH : LOW;
    }
    var affected = ordered.stream().filter(pool -> pool.base().isAffectedByIncidents()).toList();
    result.addAll(Math.min(place, result.size()), affected);
    return result;
  }

  OnChainAnswer<List<Observation<Pool>>> newPools(long at, Query.NewPools query) {
    var newest = directory.newest(Network.of(query.network()), at, (query.page() + 1L) * NEW_POOLS_PER_PAGE);
    return page(newest, at, query.page(), query.include(), listed(query.include(), query.community()));
  }

  OnChainAnswer<List<Observation<Pool>>> searchPools(long at, Query.SearchPools query) {
    var text = new SearchText(query.query());
    var networks = query.network() == null ? Arrays.stream(Network.values()) : Stream.of(Network.of(query.network()));
    var found = networks.flatMap(network -> searched(network, query.query(), at)).filter(text::matches);
    return page(
        order(found, at, PoolOperations::weight), at, query.page(), query.include(), listed(query.include(), false));
  }

  OnChainAnswer<List<Observation<Pool>>> tokenPools(long at, Query.TokenPools query) {
    var token = directory.token(Network.of(query.network()), query.tokenAddress(), at);
    var found = poolsHolding(token, query.inactiveSource(), at).stream();
    var requested = listed(query.include(), query.community()).with(Part.LAST_TRADE, true).withPriceOf(token);
    return page(order(found, at, by(query.sort())), at, query.page(), query.include(), requested);
  }

  OnChainAnswer<Observation<Pool>> pool(long at, Query.PoolByAddress query) {
    var pool = directory.pool(Network.of(query.network()), query.address(), at);
    var requested = RequestedPoolParts.NONE
        .with(Part.SINGLE, true)
        .with(Part.COMPOSITION, query.composition())
        .with(Part.BREAKDOWN, query.volumeBreakdown())
        .with(Part.DEX_NAME, query.include().contains(IncludedResource.DEX));
    return new OnChainAnswer<>(
        pools.observation(pool, at, requested), included(List.of(pool), query.include(), at));
  }

  private List<SimulatedPool> poolsHolding(SimulatedToken token, boolean inactive, long at) {
    return directory.poolsHolding(token, at).stream().filter(pool -> inactive || pool.isActive(at)).toList();
  }

  private Stream<SimulatedPool> active(Network network, long at) {
    return directory.candidates(network, at).filter(pool -> pool.isActive(at));
  }

  private Stream<SimulatedPool> searched(Network network, String text, long at) {
    var found = new LinkedHashMap<String, SimulatedPool>();
    Stream.concat(active(network, at), directory.launched(network, text.strip(), at))
        .forEach(pool -> found.putIfAbsent(pool.id(), pool));
    return found.values().stream();
  }

  private static RequestedPoolParts listed(Set<IncludedResource> include, boolean community) {
    return RequestedPoolParts.NONE.with(Part.DEX_NAME, include.contains(IncludedResource.DEX)).with(Part.COMMUNITY,
        community);
  }

  private OnChainAnswer<List<Observation<Pool>>> page(
      List<SimulatedPool> ordered, long at, int page, Set<IncludedResource> include, RequestedPoolParts requested) {
    var rows = faults.page(ordered, page, at);
    return new OnChainAnswer<>(observations(rows, at, requested), included(rows, include, at));
  }

  private List<Observation<Pool>> observations(List<SimulatedPool> rows, long at, RequestedPoolParts requested) {
    return rows.stream().map(pool -> pools.observation(pool, at, requested)).toList();
  }

  /** Returns the requested tokens and exchanges of pools, each once, or null if there are none. */
  private @Nullable Included included(List<SimulatedPool> pools, Set<IncludedResource> include, long at) {
    var included = new LinkedHashMap<String, SimulatedToken>();
    var dexes = new LinkedHashSet<Dex>();
    for (var pool : pools) {
      if (include.contains(IncludedResource.BASE_TOKEN)) {
        included.putIfAbsent(pool.base().id(), pool.base());
      }
      if (include.contains(IncludedResource.QUOTE_TOKEN)) {
        included.putIfAbsent(pool.quote().id(), pool.quote());
      }
      if (include.contains(IncludedResource.DEX)) {
        dexes.add(new Dex(pool.dex(), directory.exchanges(pool.network()).get(pool.dex())));
      }
    }
    var observations = included.values().stream().map(token -> tokens.included(token, at)).toList();
    return observations.isEmpty() && dexes.isEmpty()
        ? null
        : new Included(List.of(), observations, List.copyOf(dexes));
  }

  /** Orders pools by a figure, the highest first. Pools with equal figures are ordered by id. */
  private static List<SimulatedPool> order(Stream<SimulatedPool> pools, long at,
      ToDoubleFunction<RollingActivity> figure) {
    return pools
        .map(pool -> new Ranked(pool, figure.applyAsDouble(new RollingActivity(pool, at))))
        .sorted(Comparator.comparingDouble(Ranked::figure).reversed().thenComparing(ranked -> ranked.pool().id()))
        .map(Ranked::pool)
        .toList();
  }

  private static ToDoubleFunction<RollingActivity> by(PoolSort sort) {
    return switch (sort) {
      case H24_TX_COUNT_DESC -> pool -> pool.trades(RollingWindow.H24);
      case H24_VOLUME_USD_DESC -> pool -> pool.volumeUsd(RollingWindow.H24);
    };
  }

  private static ToDoubleFunction<RollingActivity> by(TokenPoolSort sort) {
    return switch (sort) {
      case H24_VOLUME_USD_LIQUIDITY_DESC -> PoolOperations::weight;
      case H24_TX_COUNT_DESC -> pool -> pool.trades(RollingWindow.H24);
      case H24_VOLUME_USD_DESC -> pool -> pool.volumeUsd(RollingWindow.H24);
    };
  }

  /**
   * Returns the figure by which trending lists order pools unless the market is quiet. The figure is high if many
   * people trade in a pool while the price of the pool moves.
   */
  private static ToDoubleFunction<RollingActivity> by(TrendingDuration duration) {
    var window = switch (duration) {
      case M5 -> RollingWindow.M5;
      case H1 -> RollingWindow.H1;
      case H6 -> RollingWindow.H6;
      case H24 -> RollingWindow.H24;
    };
    return pool -> (pool.buyers(window) + pool.sellers(window)) * (1 + Math.abs(pool.move(window)) / 100);
  }

  /** Returns the geometric mean of the volume of 24 hours and the liquidity of a pool. */
  private static double weight(RollingActivity pool) {
    return Math.sqrt(pool.volumeUsd(RollingWindow.H24)) * Math.sqrt(pool.reserveUsd());
  }
}
