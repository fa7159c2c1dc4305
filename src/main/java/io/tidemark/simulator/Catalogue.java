package io.tidemark.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The exchanges, tokens and pools that have long been there. */
final class Catalogue {
  private final Map<Network, Map<String, String>> exchanges = new HashMap<>();
  private final Map<Network, List<TokenFacts>> tokens = new HashMap<>();
  private final Map<Network, List<PoolFacts>> pools = new HashMap<>();
  private final Map<String, Worth> worths = new HashMap<>();

  Catalogue() {
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

  List<TokenFacts> tokens(Network network) {
    return Objects.requireNonNull(tokens.get(network));
  }

  List<PoolFacts> pools(Network network) {
    return Objects.requireNonNull(pools.get(network));
  }

  TokenFacts token(Network network, String symbol) {
    return tokens(network).stream().filter(token -> token.symbol().equals(symbol)).findFirst().orElseThrow();
  }

  /** The token that stands for the native coin. */
  TokenFacts wrapped(Network network) {
    return token(network, network.wrapped());
  }

  Worth worth(TokenFacts token) {
    return Objects.requireNonNull(worths.get(token.id()));
  }

  void exchange(Network network, String id, String name) {
    exchanges(network).put(id, name);
  }

  void token(TokenFacts token, Worth worth) {
    tokens(token.network()).add(token);
    worths.put(token.id(), worth);
  }

  void pool(PoolFacts pool) {
    pools(pool.network()).add(pool);
  }
}
