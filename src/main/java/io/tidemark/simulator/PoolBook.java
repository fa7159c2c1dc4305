package io.tidemark.simulator;

import io.tidemark.market.Failure;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All tokens and pools of all networks: the old ones, and of the launches whatever anybody may still ask about. */
final class PoolBook {
  /** Newest launches, and newest graduates, that lists look at besides the old pools. */
  private static final int NEWEST = 150;

  private static final long NEW = 2 * Window.H24.millis();

  private final Catalogue catalogue;
  private final Map<Network, Launches> launches = new EnumMap<>(Network.class);

  PoolBook(Catalogue catalogue, Map<Network, Launches> launches) {
    this.catalogue = catalogue;
    this.launches.putAll(launches);
  }

  private Launches launches(Network network) {
    return Objects.requireNonNull(launches.get(network));
  }

  Stream<PoolFacts> old(Network network) {
    return catalogue.pools(network).stream();
  }

  /** Pools that lists choose from. */
  Stream<PoolFacts> candidates(Network network, long at) {
    var young = launches(network).before(at).limit(NEWEST).map(Launch::pool);
    return Stream.concat(old(network), Stream.concat(young, graduates(network, at)));
  }

  private Stream<PoolFacts> graduates(Network network, long at) {
    return launches(network)
        .graduating(at)
        .limit(NEWEST)
        .map(launch -> launch.graduate(at))
        .filter(Objects::nonNull);
  }

  /** The newest so many pools of the past 48 hours, newest first. */
  List<PoolFacts> newest(Network network, long at, long count) {
    var young = launches(network).before(at).limit(count).map(Launch::pool);
    return Stream.concat(young, graduates(network, at))
        .filter(pool -> pool.created() > at - NEW)
        .sorted(Comparator.comparingLong(PoolFacts::created).reversed().thenComparing(PoolFacts::address))
        .limit(count)
        .toList();
  }

  /**
   * The pool at an address.
   *
   * @throws Failure.NotFound where there is none
   */
  PoolFacts pool(Network network, String address, long at) {
    var pool = find(network, network.canonical(address), at);
    if (pool == null) {
      throw new Failure.NotFound("pool not found: " + network.id() + " " + address);
    }
    return pool;
  }

  private @Nullable PoolFacts find(Network network, String address, long at) {
    return Stream.concat(old(network), launched(network, address, at))
        .filter(pool -> pool.address().equals(address))
        .findFirst()
        .orElse(null);
  }

  /**
   * The token at an address.
   *
   * @throws Failure.NotFound where there is none
   */
  TokenFacts token(Network network, String address, long at) {
    String canonical = network.canonical(address);
    var launch = launch(network, canonical, at);
    var launched = launch == null ? Stream.<TokenFacts>of() : Stream.of(launch.token());
    return Stream.concat(catalogue.tokens(network).stream(), launched)
        .filter(token -> token.address().equals(canonical))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("token not found: " + network.id() + " " + address));
  }

  /** Pools that hold a token, in no order. */
  List<PoolFacts> poolsOf(TokenFacts token, long at) {
    var launch = launch(token.network(), token.address(), at);
    var pools = launch == null ? candidates(token.network(), at) : pools(launch, at);
    return pools.filter(pool -> pool.holds(token)).toList();
  }

  /** The launch that an address belongs to; null where it is of no launch. */
  @Nullable
  Launch launch(Network network, String address, long at) {
    return launches(network).find(address, at);
  }

  /** Pools of the launch that an address belongs to, if it is one's. */
  Stream<PoolFacts> launched(Network network, String address, long at) {
    return pools(launch(network, network.canonical(address), at), at);
  }

  private static Stream<PoolFacts> pools(@Nullable Launch launch, long at) {
    return launch == null ? Stream.of() : Stream.of(launch.pool(), launch.graduate(at)).filter(Objects::nonNull);
  }

  Map<String, String> exchanges(Network network) {
    return catalogue.exchanges(network);
  }
}
