package io.tidemark.simulator.pool;

import io.tidemark.market.Dex;
import io.tidemark.market.Include;
import io.tidemark.market.Included;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the tokens and exchanges that an answer about pools includes. */
final class IncludedResources {
  private final PoolDirectory directory;
  private final TokenObservations tokens;

  IncludedResources(PoolDirectory directory, TokenObservations tokens) {
    this.directory = directory;
    this.tokens = tokens;
  }

  /** Tokens and exchanges of pools, each once; null where there are none. */
  @Nullable
  Included of(List<SimulatedPool> pools, Set<Include> include, long at) {
    var included = new LinkedHashMap<String, SimulatedToken>();
    var dexes = new LinkedHashSet<Dex>();
    for (var pool : pools) {
      add(include.contains(Include.BASE_TOKEN), pool.base(), included);
      add(include.contains(Include.QUOTE_TOKEN), pool.quote(), included);
      if (include.contains(Include.DEX)) {
        dexes.add(new Dex(pool.dex(), directory.exchanges(pool.network()).get(pool.dex())));
      }
    }
    var observations = included.values().stream().map(token -> tokens.included(token, at)).toList();
    return observations.isEmpty() && dexes.isEmpty() ? null
        : new Included(List.of(), observations, List.copyOf(dexes), List.of());
  }

  private static void add(boolean wanted, SimulatedToken token, Map<String, SimulatedToken> included) {
    if (wanted) {
      included.putIfAbsent(token.id(), token);
    }
  }
}
