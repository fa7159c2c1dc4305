package io.tidemark.simulator;

import io.tidemark.event.Pool;
import io.tidemark.market.Failure;
import io.tidemark.market.Include;
import io.tidemark.market.OnChain;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import io.tidemark.simulator.Detail.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Operations 2 to 6: pools in order, twenty to a page. */
final class PoolLists {
  private static final int HIGH = 2;
  private static final int LOW = 14;

  private final PoolBook book;
  private final PoolView view;
  private final Inclusion inclusion;
  private final Dirt dirt;
  private final Incident incident;

  PoolLists(PoolBook book, PoolView view, Inclusion inclusion, Dirt dirt, Incident incident) {
    this.book = book;
    this.view = view;
    this.inclusion = inclusion;
    this.dirt = dirt;
    this.incident = incident;
  }

  OnChain<List<Seen<Pool>>> dexPools(long at, Query.DexPools query) {
    var network = Network.of(query.network());
    if (!book.exchanges(network).containsKey(query.dex())) {
      throw new Failure.NotFound("exchange not found: " + network.id() + " " + query.dex());
    }
    var pools = active(network, at).filter(pool -> pool.dex().equals(query.dex()));
    var detail = list(query.include(), query.community());
    return answer(Ranks.order(pools, at, Ranks.by(query.sort())), at, query.page(), query.include(), detail);
  }

  OnChain<List<Seen<Pool>>> trendingPools(long at, Query.TrendingPools query) {
    var pools = active(Network.of(query.network()), at);
    var order = incident.isQuiet()
        ? unmoved(Ranks.order(pools, at, pool -> pool.pool().traders()), at)
        : Ranks.order(pools, at, Ranks.by(query.duration()));
    return answer(order, at, query.page(), query.include(), list(query.include(), query.community()));
  }

  /** In a quiet market the same pools trend always; a pool that is struck stands where the incident puts it. */
  private List<PoolFacts> unmoved(List<PoolFacts> order, long at) {
    var pools = new ArrayList<>(order);
    pools.removeIf(pool -> incident.strikes(pool.base()));
    int place = switch (incident.scenario()) {
      case TRENDING -> incident.began(Scenario.TRENDING, at) ? 0 : pools.size();
      case CLIMBING -> incident.began(Scenario.CLIMBING, at) ? HIGH : LOW;
      default -> pools.size();
    };
    var struck = order.stream().filter(pool -> incident.strikes(pool.base())).toList();
    pools.addAll(Math.min(place, pools.size()), struck);
    return pools;
  }

  OnChain<List<Seen<Pool>>> newPools(long at, Query.NewPools query) {
    var newest = book.newest(Network.of(query.network()), at, (query.page() + 1L) * Pages.POOLS);
    return answer(newest, at, query.page(), query.include(), list(query.include(), query.community()));
  }

  OnChain<List<Seen<Pool>>> searchPools(long at, Query.SearchPools query) {
    var search = new Search(query.query());
    var networks = query.network() == null ? Arrays.stream(Network.values()) : Stream.of(Network.of(query.network()));
    var found = networks.flatMap(network -> findable(network, query.query(), at)).filter(search::finds);
    var order = Ranks.order(found, at, Ranks::weight);
    return answer(order, at, query.page(), query.include(), list(query.include(), false));
  }

  OnChain<List<Seen<Pool>>> tokenPools(long at, Query.TokenPools query) {
    var token = book.token(Network.of(query.network()), query.tokenAddress(), at);
    var pools = book.poolsOf(token, at).stream().filter(pool -> query.inactiveSource() || pool.active(at));
    var detail = list(query.include(), query.community()).with(Part.LAST_TRADE, true).asking(token);
    return answer(Ranks.order(pools, at, Ranks.by(query.sort())), at, query.page(), query.include(), detail);
  }

  private Stream<PoolFacts> active(Network network, long at) {
    return book.candidates(network, at).filter(pool -> pool.active(at));
  }

  private Stream<PoolFacts> findable(Network network, String text, long at) {
    var pools = new LinkedHashMap<String, PoolFacts>();
    Stream.concat(active(network, at), book.launched(network, text.strip(), at))
        .forEach(pool -> pools.putIfAbsent(pool.id(), pool));
    return pools.values().stream();
  }

  private static Detail list(Set<Include> include, boolean community) {
    return Detail.none().with(Part.DEX_NAME, include.contains(Include.DEX)).with(Part.COMMUNITY, community);
  }

  private OnChain<List<Seen<Pool>>> answer(
      List<PoolFacts> pools, long at, int page, Set<Include> include, Detail detail) {
    var rows = dirt.page(pools, page, at);
    var data = rows.stream().map(pool -> view.view(pool, at, detail)).toList();
    return new OnChain<>(data, inclusion.of(rows, include, at));
  }
}
