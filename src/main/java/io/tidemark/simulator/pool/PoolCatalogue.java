package io.tidemark.simulator.pool;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The exchanges, tokens and pools that have long been there. */
public final class PoolCatalogue {
  private final Map<Network, Map<String, String>> exchanges = new HashMap<>();
  private final Map<Network, List<SimulatedToken>> tokens = new HashMap<>();
  private final Map<Network, List<SimulatedPool>> pools = new HashMap<>();
  private final Map<String, TokenValue> values = new HashMap<>();

  PoolCatalogue() {
    for (var network : Network.values()) {
      exchanges.put(network, new LinkedHashMap<>());
      tokens.put(network, new ArrayList<>());
      pools.put(network, new ArrayList<>());
    }
  }

  /** Names of a network's exchanges by their ids. */
  Map<String, String> exchanges(Network network) {
    return Objects.requireNonNull(exchanges.get(network));
  }

  List<SimulatedToken> tokens(Network network) {
    return Objects.requireNonNull(tokens.get(network));
  }

  List<SimulatedPool> pools(Network network) {
    return Objects.requireNonNull(pools.get(network));
  }

  SimulatedToken token(Network network, String symbol) {
    return tokens(network).stream().filter(token -> token.symbol().equals(symbol)).findFirst().orElseThrow();
  }

  /** The token that stands for the native coin. */
  SimulatedToken wrapped(Network network) {
    return token(network, network.wrapped());
  }

  TokenValue value(SimulatedToken token) {
    return Objects.requireNonNull(values.get(token.id()));
  }

  void exchange(Network network, String id, String name) {
    exchanges(network).put(id, name);
  }

  void token(SimulatedToken token, TokenValue worth) {
    tokens(token.network()).add(token);
    values.put(token.id(), worth);
  }

  void pool(SimulatedPool pool) {
    pools(pool.network()).add(pool);
  }
}
