package io.tidemark.simulator.pool;

import io.tidemark.market.Failure;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All tokens and pools of all networks: the old ones, and of the launches whatever anybody may still ask about. */
public final class PoolDirectory {
  /** Newest launches, and newest graduates, that lists look at besides the old pools. */
  private static final int NEWEST = 150;

  private static final long NEW = 2 * RollingWindow.H24.millis();

  private final PoolCatalogue catalogue;
  private final Map<Network, TokenLaunches> launches = new EnumMap<>(Network.class);

  public PoolDirectory(PoolCatalogue catalogue, Map<Network, TokenLaunches> launches) {
    this.catalogue = catalogue;
    this.launches.putAll(launches);
  }

  private TokenLaunches launches(Network network) {
    return Objects.requireNonNull(launches.get(network));
  }

  public Stream<SimulatedPool> established(Network network) {
    return catalogue.pools(network).stream();
  }

  /** Pools that lists choose from. */
  Stream<SimulatedPool> candidates(Network network, long at) {
    var young = launches(network).before(at).limit(NEWEST).map(TokenLaunch::pool);
    return Stream.concat(established(network), Stream.concat(young, graduates(network, at)));
  }

  private Stream<SimulatedPool> graduates(Network network, long at) {
    return launches(network)
        .graduating(at)
        .limit(NEWEST)
        .map(launch -> launch.graduate(at))
        .filter(Objects::nonNull);
  }

  /** The newest so many pools of the past 48 hours, newest first. */
  List<SimulatedPool> newest(Network network, long at, long count) {
    var young = launches(network).before(at).limit(count).map(TokenLaunch::pool);
    return Stream.concat(young, graduates(network, at))
        .filter(pool -> pool.created() > at - NEW)
        .sorted(Comparator.comparingLong(SimulatedPool::created).reversed().thenComparing(SimulatedPool::address))
        .limit(count)
        .toList();
  }

  /**
   * The pool at an address.
   *
   * @throws Failure.NotFound where there is none
   */
  public SimulatedPool pool(Network network, String address, long at) {
    var pool = find(network, network.canonical(address), at);
    if (pool == null) {
      throw new Failure.NotFound("pool not found: " + network.id() + " " + address);
    }
    return pool;
  }

  private @Nullable SimulatedPool find(Network network, String address, long at) {
    return Stream.concat(established(network), launched(network, address, at))
        .filter(pool -> pool.address().equals(address))
        .findFirst()
        .orElse(null);
  }

  /**
   * The token at an address.
   *
   * @throws Failure.NotFound where there is none
   */
  SimulatedToken token(Network network, String address, long at) {
    String canonical = network.canonical(address);
    var launch = launch(network, canonical, at);
    var launched = launch == null ? Stream.<SimulatedToken>of() : Stream.of(launch.token());
    return Stream.concat(catalogue.tokens(network).stream(), launched)
        .filter(token -> token.address().equals(canonical))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("token not found: " + network.id() + " " + address));
  }

  /** Pools that hold a token, in no order. */
  List<SimulatedPool> poolsHolding(SimulatedToken token, long at) {
    var launch = launch(token.network(), token.address(), at);
    var pools = launch == null ? candidates(token.network(), at) : pools(launch, at);
    return pools.filter(pool -> pool.holds(token)).toList();
  }

  /** The launch that an address belongs to; null where it is of no launch. */
  @Nullable
  TokenLaunch launch(Network network, String address, long at) {
    return launches(network).find(address, at);
  }

  /** Pools of the launch that an address belongs to, if it is one's. */
  Stream<SimulatedPool> launched(Network network, String address, long at) {
    return pools(launch(network, network.canonical(address), at), at);
  }

  private static Stream<SimulatedPool> pools(@Nullable TokenLaunch launch, long at) {
    return launch == null ? Stream.of() : Stream.of(launch.pool(), launch.graduate(at)).filter(Objects::nonNull);
  }

  public Map<String, String> exchanges(Network network) {
    return catalogue.exchanges(network);
  }
}
