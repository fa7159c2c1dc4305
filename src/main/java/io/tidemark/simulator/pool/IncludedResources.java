package io.tidemark.simulator.pool;

import io.tidemark.event.Pool;
import io.tidemark.market.Dex;
import io.tidemark.market.Include;
import io.tidemark.market.Included;
import io.tidemark.market.Observation;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What comes along with pools and tokens. */
public final class IncludedResources {
  private final PoolDirectory book;
  private final TokenObservations tokens;

  public IncludedResources(PoolDirectory book, TokenObservations tokens) {
    this.book = book;
    this.tokens = tokens;
  }

  /** Tokens and exchanges of pools, each once; null where there are none. */
  public @Nullable Included of(List<SimulatedPool> pools, Set<Include> include, long at) {
    var included = new LinkedHashMap<String, SimulatedToken>();
    var dexes = new LinkedHashSet<Dex>();
    for (var pool : pools) {
      add(include.contains(Include.BASE_TOKEN), pool.base(), included);
      add(include.contains(Include.QUOTE_TOKEN), pool.quote(), included);
      if (include.contains(Include.DEX)) {
        dexes.add(new Dex(pool.dex(), book.exchanges(pool.network()).get(pool.dex())));
      }
    }
    var seen = included.values().stream().map(token -> tokens.included(token, at)).toList();
    return seen.isEmpty() && dexes.isEmpty() ? null : new Included(List.of(), seen, List.copyOf(dexes), List.of());
  }

  /** Pools of a token; null where there are none. */
  static @Nullable Included of(List<Observation<Pool>> pools) {
    return pools.isEmpty() ? null : new Included(pools, List.of(), List.of(), List.of());
  }

  private static void add(boolean wanted, SimulatedToken token, Map<String, SimulatedToken> included) {
    if (wanted) {
      included.putIfAbsent(token.id(), token);
    }
  }
}
