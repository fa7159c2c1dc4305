package io.tidemark.simulator;

import io.tidemark.market.Failure;
import io.tidemark.simulator.TokenLaunches.TokenLaunch;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A directory of the tokens and pools of all networks, both established and launched. */
final class PoolDirectory {

  /** The incidents that affect the pool of one token. */
  record PoolIncidents(Incident pump, Incident rugPull, Incident washTrading) {
    static final PoolIncidents NONE = new PoolIncidents(Incident.NONE, Incident.NONE, Incident.NONE);
  }

  /**
   * The conditions under which tokens are launched.
   *
   * @param rate factor on the number of launches
   * @param quiet whether all launches except the launch in the incident are below the floors of every rule
   * @param newPool incident in which a pool that is not tiny is created on Base
   * @param graduation incident in which a token on Solana graduates
   */
  record LaunchConditions(int rate, boolean quiet, Incident newPool, Incident graduation) {}

  /**
   * Number of the newest launches whose first pools are in lists besides the established pools. The pools to which
   * tokens graduated are in lists for the same number of the newest launches that ever graduate. The list of new
   * pools may have more first pools.
   */
  private static final int NEWEST = 150;

  private static final long NEW = Duration.ofDays(2).toMillis();

  private final EstablishedPools established;
  private final Map<Network, TokenLaunches> launches = new EnumMap<>(Network.class);

  /** @param hostileNames whether some tokens have names that are hostile to programs */
  PoolDirectory(StatelessRandom random, MarketSpeed speed, CoinPrices coins, boolean hostileNames,
      PoolIncidents incidents, LaunchConditions conditions) {
    var addresses = new AddressCodec(random.derive("addresses"));
    var names = new RandomTokenNames(hostileNames);
    var own = random.derive("catalogue");
    established = new EstablishedPools(own, speed, addresses, coins, names, conditions.quiet(), incidents);
    for (var network : Network.values()) {
      var numbers = random.derive(network.id());
      launches.put(network, new TokenLaunches(network, numbers, speed, addresses, names, established, conditions));
    }
  }

  private TokenLaunches launches(Network network) {
    return Objects.requireNonNull(launches.get(network));
  }

  Stream<SimulatedPool> established(Network network) {
    return established.pools(network).stream();
  }

  /**
   * Returns the pools of a network that can be in its lists at the given time, except the list of new pools. They
   * include pools in which nobody trades any more.
   */
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

  /** Returns the pools that were created in the past 48 hours, newest first, at most {@code count} of them. */
  List<SimulatedPool> newest(Network network, long at, long count) {
    var young = launches(network).before(at).limit(count).map(TokenLaunch::pool);
    return Stream.concat(young, graduates(network, at))
        .filter(pool -> pool.created() > at - NEW)
        .sorted(Comparator.comparingLong(SimulatedPool::created).reversed().thenComparing(SimulatedPool::address))
        .limit(count)
        .toList();
  }

  /** Returns the pool at the given address. Fails with {@link Failure.NotFound} if there is no such pool. */
  SimulatedPool pool(Network network, String address, long at) {
    String canonical = network.canonical(address);
    return Stream.concat(established(network), launched(network, canonical, at))
        .filter(pool -> pool.address().equals(canonical))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("pool not found: " + network.id() + " " + address));
  }

  /** Returns the token at the given address. Fails with {@link Failure.NotFound} if there is no such token. */
  SimulatedToken token(Network network, String address, long at) {
    String canonical = network.canonical(address);
    var launch = launch(network, canonical, at);
    var launched = launch == null ? Stream.<SimulatedToken>of() : Stream.of(launch.token());
    return Stream.concat(established.tokens(network).stream(), launched)
        .filter(token -> token.address().equals(canonical))
        .findFirst()
        .orElseThrow(() -> new Failure.NotFound("token not found: " + network.id() + " " + address));
  }

  /**
   * Returns the pools that hold a token, in no particular order. For a token that was not launched, these are only
   * the ones among the {@link #candidates}.
   */
  List<SimulatedPool> poolsHolding(SimulatedToken token, long at) {
    var launch = launch(token.network(), token.address(), at);
    var pools = launch == null ? candidates(token.network(), at) : pools(launch, at);
    return pools.filter(pool -> pool.holds(token)).toList();
  }

  /**
   * Returns the launch to which a token or pool address belongs, or null if the address belongs to no launch at or
   * before the given time.
   */
  @Nullable
  TokenLaunch launch(Network network, String address, long at) {
    return launches(network).find(address, at);
  }

  /**
   * Returns the pools of the launch to which a token or pool address belongs, or no pools if the address belongs to no
   * launch at or before the given time.
   */
  Stream<SimulatedPool> launched(Network network, String address, long at) {
    return pools(launch(network, network.canonical(address), at), at);
  }

  private static Stream<SimulatedPool> pools(@Nullable TokenLaunch launch, long at) {
    return launch == null ? Stream.of() : Stream.of(launch.pool(), launch.graduate(at)).filter(Objects::nonNull);
  }

  Map<String, String> exchanges(Network network) {
    return established.exchanges(network);
  }
}
