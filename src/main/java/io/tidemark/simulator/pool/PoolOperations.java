package io.tidemark.simulator.pool;

import io.tidemark.event.Pool;
import io.tidemark.market.Failure;
import io.tidemark.market.Include;
import io.tidemark.market.Observation;
import io.tidemark.market.OnChainAnswer;
import io.tidemark.market.Query;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.pool.PoolDetail.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Operations 2 to 6: pools in order, twenty to a page. */
public final class PoolOperations {
  private static final int HIGH = 2;
  private static final int LOW = 14;

  private final PoolDirectory book;
  private final PoolObservations view;
  private final IncludedResources inclusion;
  private final FaultInjector faults;
  private final Incident incident;

  public PoolOperations(PoolDirectory book, PoolObservations view, IncludedResources inclusion, FaultInjector faults,
      Incident incident) {
    this.book = book;
    this.view = view;
    this.inclusion = inclusion;
    this.faults = faults;
    this.incident = incident;
  }

  public OnChainAnswer<List<Observation<Pool>>> dexPools(long at, Query.DexPools query) {
    var network = Network.of(query.network());
    if (!book.exchanges(network).containsKey(query.dex())) {
      throw new Failure.NotFound("exchange not found: " + network.id() + " " + query.dex());
    }
    var pools = active(network, at).filter(pool -> pool.dex().equals(query.dex()));
    var detail = list(query.include(), query.community());
    return answer(PoolOrder.order(pools, at, PoolOrder.by(query.sort())), at, query.page(), query.include(), detail);
  }

  public OnChainAnswer<List<Observation<Pool>>> trendingPools(long at, Query.TrendingPools query) {
    var pools = active(Network.of(query.network()), at);
    var order = incident.isQuiet()
        ? unmoved(PoolOrder.order(pools, at, pool -> pool.pool().traders()), at)
        : PoolOrder.order(pools, at, PoolOrder.by(query.duration()));
    return answer(order, at, query.page(), query.include(), list(query.include(), query.community()));
  }

  /** In a quiet market the same pools trend always; a pool that is struck stands where the incident puts it. */
  private List<SimulatedPool> unmoved(List<SimulatedPool> order, long at) {
    var pools = new ArrayList<>(order);
    pools.removeIf(pool -> incident.affects(pool.base()));
    int place = switch (incident.scenario()) {
      case TRENDING -> incident.hasBegun(Scenario.TRENDING, at) ? 0 : pools.size();
      case CLIMBING -> incident.hasBegun(Scenario.CLIMBING, at) ? HIGH : LOW;
      default -> pools.size();
    };
    var affected = order.stream().filter(pool -> incident.affects(pool.base())).toList();
    pools.addAll(Math.min(place, pools.size()), affected);
    return pools;
  }

  public OnChainAnswer<List<Observation<Pool>>> newPools(long at, Query.NewPools query) {
    var newest = book.newest(Network.of(query.network()), at, (query.page() + 1L) * Pages.POOLS);
    return answer(newest, at, query.page(), query.include(), list(query.include(), query.community()));
  }

  public OnChainAnswer<List<Observation<Pool>>> searchPools(long at, Query.SearchPools query) {
    var search = new SearchText(query.query());
    var networks = query.network() == null ? Arrays.stream(Network.values()) : Stream.of(Network.of(query.network()));
    var found = networks.flatMap(network -> findable(network, query.query(), at)).filter(search::finds);
    var order = PoolOrder.order(found, at, PoolOrder::weight);
    return answer(order, at, query.page(), query.include(), list(query.include(), false));
  }

  public OnChainAnswer<List<Observation<Pool>>> tokenPools(long at, Query.TokenPools query) {
    var token = book.token(Network.of(query.network()), query.tokenAddress(), at);
    var pools = book.poolsHolding(token, at).stream().filter(pool -> query.inactiveSource() || pool.isActive(at));
    var detail = list(query.include(), query.community()).with(Part.LAST_TRADE, true).withPriceOf(token);
    return answer(PoolOrder.order(pools, at, PoolOrder.by(query.sort())), at, query.page(), query.include(), detail);
  }

  private Stream<SimulatedPool> active(Network network, long at) {
    return book.candidates(network, at).filter(pool -> pool.isActive(at));
  }

  private Stream<SimulatedPool> findable(Network network, String text, long at) {
    var pools = new LinkedHashMap<String, SimulatedPool>();
    Stream.concat(active(network, at), book.launched(network, text.strip(), at))
        .forEach(pool -> pools.putIfAbsent(pool.id(), pool));
    return pools.values().stream();
  }

  private static PoolDetail list(Set<Include> include, boolean community) {
    return PoolDetail.none().with(Part.DEX_NAME, include.contains(Include.DEX)).with(Part.COMMUNITY, community);
  }

  private OnChainAnswer<List<Observation<Pool>>> answer(
      List<SimulatedPool> pools, long at, int page, Set<Include> include, PoolDetail detail) {
    var rows = faults.page(pools, page, at);
    var data = rows.stream().map(pool -> view.view(pool, at, detail)).toList();
    return new OnChainAnswer<>(data, inclusion.of(rows, include, at));
  }
}
