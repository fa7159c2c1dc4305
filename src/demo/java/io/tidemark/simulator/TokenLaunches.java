package io.tidemark.simulator;

import io.tidemark.event.Launchpad;
import io.tidemark.event.LaunchpadDetails;
import io.tidemark.simulator.AddressCodec.AddressKind;
import io.tidemark.simulator.PoolDirectory.LaunchConditions;
import io.tidemark.simulator.PoolDynamics.BondingCurveDynamics;
import io.tidemark.simulator.PoolDynamics.TokenValue;
import io.tidemark.simulator.PoolDynamics.YoungPoolDynamics;
import io.tidemark.simulator.TradeHistory.BlockCache;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The token launches of one network, numbered since 1970. Each launch is computed from its number when it is needed.
 */
final class TokenLaunches {
  private static final double GRADUATES = 0.02;
  private static final double PULLED = 0.5;
  private static final long CURVE_BLOCKS = 96;
  private static final long POOL_BLOCKS = 256;
  private static final double SUPPLY = 1e9;
  private static final double TRADERS = 400;
  private static final double TRADE_USD = 60;
  private static final long MIGRATION_MILLIS = 1_000;
  private static final int CACHED = 2_000;
  private static final double NEW_POOL_SIDE_USD = 6_000;
  private static final double NEARLY_RAISED = 0.9;

  /** Minimum market time between the creation of a bonding curve and the incident in which its token graduates. */
  private static final Duration CURVE_BEFORE_INCIDENT = Duration.ofHours(1);

  private final Network network;
  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final AddressCodec addresses;
  private final RandomTokenNames names;
  private final SimulatedToken quote;
  private final TokenValue quoteValue;
  private final LaunchConditions conditions;
  private final BlockCache blockCache;
  private final JitteredSchedule schedule;

  /**
   * Number of the launch that the incident creates or lets graduate; null if no incident affects a launch on this
   * network.
   */
  private final @Nullable Long affected;

  /** Launches by number, so that they are not computed again. The cache has no other effect. */
  private final Map<Long, TokenLaunch> cache = new ConcurrentHashMap<>();

  TokenLaunches(Network network, StatelessRandom random, MarketSpeed speed, AddressCodec addresses,
      RandomTokenNames names, EstablishedPools established, LaunchConditions conditions) {
    this.network = network;
    this.random = random;
    this.speed = speed;
    this.addresses = addresses;
    this.names = names;
    this.quote = established.wrapped(network);
    this.quoteValue = established.value(quote);
    this.conditions = conditions;
    this.blockCache = established.blockCache();
    long period = Math.max(100, speed.realMillis(network.launchEvery) / conditions.rate());
    this.schedule = new JitteredSchedule(random.derive("rhythm"), 0, period);
    this.affected = affected();
  }

  private @Nullable Long affected() {
    if (conditions.newPool().planned() && network == Network.BASE) {
      return schedule.numberAt(conditions.newPool().from()) + 1;
    }
    boolean graduates = conditions.graduation().planned() && network == Network.SOLANA;
    return graduates ? schedule.numberAt(conditions.graduation().from() - speed.realMillis(CURVE_BEFORE_INCIDENT))
        : null;
  }

  /** Returns an endless stream of the launches at or before a time, newest first. */
  Stream<TokenLaunch> before(long at) {
    return numbers(at).mapToObj(this::launch);
  }

  /**
   * Returns the launches at or before a time whose tokens graduate at some time, newest first. The stream is endless on
   * networks with graduation, except in a quiet market.
   */
  Stream<TokenLaunch> graduating(long at) {
    if (conditions.quiet()) {
      return affected != null && graduates(affected) && affected <= schedule.numberAt(at)
          ? Stream.of(launch(affected)) : Stream.of();
    }
    return network.graduateDex == null ? Stream.of() : numbers(at).filter(this::graduates).mapToObj(this::launch);
  }

  private LongStream numbers(long at) {
    return LongStream.iterate(schedule.numberAt(at), number -> number - 1);
  }

  /**
   * Returns the launch to which a token or pool address belongs, or null if there is no such launch at or before a
   * time.
   */
  @Nullable
  TokenLaunch find(String address, long at) {
    return Stream.of(AddressKind.LAUNCHED_TOKEN, AddressKind.LAUNCH_POOL, AddressKind.GRADUATE_POOL)
        .map(kind -> addresses.number(network, kind, address))
        .filter(Objects::nonNull)
        .filter(number -> number <= schedule.numberAt(at))
        .findFirst()
        .map(this::launch)
        .orElse(null);
  }

  private boolean graduates(long number) {
    return conditions.quiet()
        ? conditions.graduation().planned() && isAffected(number)
        : random.chance(GRADUATES, number);
  }

  private boolean isAffected(long number) {
    return affected != null && affected == number;
  }

  private TokenLaunch launch(long number) {
    if (cache.size() > CACHED) {
      cache.clear();
    }
    return cache.computeIfAbsent(number, this::created);
  }

  private TokenLaunch created(long number) {
    var own = random.derive(number);
    var name = names.of(own);
    String address = addresses.address(network, AddressKind.LAUNCHED_TOKEN, number);
    int decimals = network.hexadecimal ? 18 : 6;
    var token = new SimulatedToken(network, address, name.name(), name.symbol(), decimals, null, SUPPLY);
    boolean ordinary = network.graduateDex == null || (conditions.quiet() && !graduates(number));
    return ordinary ? ordinary(number, own, token) : bonding(number, own, token);
  }

  private TokenLaunch ordinary(long number, StatelessRandom own, SimulatedToken token) {
    long tradingMillis = realMillis(own, 4, 48, 10);
    double quotes = sideUsd(number, own) / quoteValue.reference();
    long pullBlock =
        !isAffected(number) && own.chance(PULLED, 12) ? own.intBelow((int) POOL_BLOCKS, 13) : Long.MAX_VALUE;
    var dynamics =
        new YoungPoolDynamics(own, POOL_BLOCKS, quotes / (SUPPLY / 2), quotes, quoteValue, pullBlock);
    var trades = trades(own, schedule.timeOf(number), tradingMillis, POOL_BLOCKS, dynamics);
    String address = addresses.address(network, AddressKind.LAUNCH_POOL, number);
    return new TokenLaunch(token, pool(address, network.launchDex, token, trades), null, null);
  }

  /**
   * Returns the value in USD of one side of a new pool. In a quiet market, the value is below every rule's floor,
   * except in the incident.
   */
  private double sideUsd(long number, StatelessRandom own) {
    if (!conditions.quiet()) {
      return own.between(2_000, 40_000, 11);
    }
    return isAffected(number) ? NEW_POOL_SIDE_USD : own.between(20, 400, 11);
  }

  private TokenLaunch bonding(long number, StatelessRandom own, SimulatedToken token) {
    double peak = graduates(number) ? 1 : own.between(0.02, 0.8, 10);
    double initial = isAffected(number) ? NEARLY_RAISED : 0;
    var curve = new BondingCurveDynamics(own, CURVE_BLOCKS, initial, peak, quoteValue);
    long created = schedule.timeOf(number);
    long tradingMillis = isAffected(number) ? conditions.graduation().from() - created : realMillis(own, 0.4, 2, 11);
    var trades = trades(own, created, tradingMillis, CURVE_BLOCKS, curve);
    String address = addresses.address(network, AddressKind.LAUNCH_POOL, number);
    var pool = pool(address, network.launchDex, token, trades);
    return new TokenLaunch(token, pool, curve, curve.graduates() ? graduate(number, own, pool) : null);
  }

  private SimulatedPool graduate(long number, StatelessRandom own, SimulatedPool pool) {
    var later = own.derive("life");
    long pullBlock = own.chance(PULLED, 14) ? own.intBelow((int) POOL_BLOCKS, 15) : Long.MAX_VALUE;
    var dynamics = new YoungPoolDynamics(
        later, POOL_BLOCKS, BondingCurveDynamics.GRADUATION_PRICE, BondingCurveDynamics.GOAL, quoteValue, pullBlock);
    long created = pool.trades().timeOf(CURVE_BLOCKS) + MIGRATION_MILLIS;
    var trades = trades(later, created, realMillis(own, 12, 60, 16), POOL_BLOCKS, dynamics);
    String address = addresses.address(network, AddressKind.GRADUATE_POOL, number);
    return pool(address, Objects.requireNonNull(network.graduateDex), pool.base(), trades);
  }

  /** Returns the real milliseconds that a random number of market hours takes. */
  private long realMillis(StatelessRandom own, double leastHours, double mostHours, long index) {
    return speed.realMillis(Duration.ofSeconds((long) (3_600 * own.between(leastHours, mostHours, index))));
  }

  private TradeHistory trades(
      StatelessRandom own, long created, long tradingMillis, long blocks, PoolDynamics dynamics) {
    var blockTimes = new JitteredSchedule(own.derive("rhythm"), created, Math.max(1, tradingMillis / blocks));
    return new TradeHistory(own.derive("tape"), blockTimes, blocks, dynamics, TRADE_USD, blockCache);
  }

  private SimulatedPool pool(String address, String dex, SimulatedToken token, TradeHistory trades) {
    return new SimulatedPool(address, dex, null, token, quote, trades, TRADERS);
  }

  /**
   * A launched token with its first pool.
   *
   * @param curve bonding curve of the first pool; null if the first pool is an ordinary pool
   * @param graduate pool to which the token graduates; null if the token never graduates
   */
  record TokenLaunch(
      SimulatedToken token, SimulatedPool pool, @Nullable BondingCurveDynamics curve,
      @Nullable SimulatedPool graduate) {
    private static final Set<String> NULLS_BEFORE_GRADUATION = Set.of(
        "launchpad.launchpad_details.completed_at",
        "launchpad.launchpad_details.migrated_destination_pool_address");

    /** Returns the pool to which the token has graduated by a time, or null if the token has not graduated yet. */
    @Nullable
    SimulatedPool graduate(long at) {
      return graduate != null && graduate.created() <= at ? graduate : null;
    }

    /** Returns the facet {@code launchpad}, or null if there is no bonding curve. */
    @Nullable
    Launchpad launchpad(long at) {
      if (curve == null) {
        return null;
      }
      double percent = AnswerFormats.rounded(100 * curve.raised(pool.trades().blockAt(at)), 2);
      var reached = graduate(at);
      return new Launchpad(reached == null
          ? new LaunchpadDetails(percent, false, null, null)
          : new LaunchpadDetails(100.0, true, AnswerFormats.second(reached.created()), reached.address()));
    }

    /** Returns the attributes that are null in the facet {@code launchpad}. */
    Set<String> launchpadNulls(long at) {
      return curve == null || graduate(at) != null ? Set.of() : NULLS_BEFORE_GRADUATION;
    }
  }
}
