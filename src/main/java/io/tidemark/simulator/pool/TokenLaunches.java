package io.tidemark.simulator.pool;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.JitteredSchedule;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.StatelessRandom;
import io.tidemark.simulator.pool.AddressCodec.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The launches of one network, numbered since 1970; each is made up from its number whenever it is asked for. */
public final class TokenLaunches {
  private static final int BUSY = 10;
  private static final double GRADUATES = 0.02;
  private static final double PULLED = 0.5;
  private static final long CURVE_BLOCKS = 96;
  private static final long LIFETIME_BLOCKS = 256;
  private static final double SUPPLY = 1e9;
  private static final double TRADERS = 400;
  private static final long SETTLING = 1_000;
  private static final int KNOWN = 2_000;
  private static final double FAIR_SIZED = 6_000;
  private static final double NEARLY = 0.9;

  /** How long before its end the curve of an incident is begun. */
  private static final long CURVE = Duration.ofHours(1).toMillis();

  private final Network network;
  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final AddressCodec addresses;
  private final TokenNames names;
  private final SimulatedToken quote;
  private final TokenValue quoteValue;
  private final JitteredSchedule rhythm;
  private final Incident incident;

  /** The launch of the incident; none where it is of something else. */
  private final @Nullable Long affected;

  /** Saves making them up again, no more. */
  private final Map<Long, TokenLaunch> known = new ConcurrentHashMap<>();

  public TokenLaunches(Network network, StatelessRandom random, SimulatorSettings settings, AddressCodec addresses,
      PoolCatalogue catalogue) {
    this.network = network;
    this.random = random;
    this.speed = new MarketSpeed(settings.speed());
    this.addresses = addresses;
    this.names = new TokenNames(settings.scenario());
    this.quote = catalogue.wrapped(network);
    this.quoteValue = catalogue.value(quote);
    this.incident = Incident.of(settings);
    int busy = settings.scenario() == Scenario.LAUNCH_DAY ? BUSY : 1;
    this.rhythm =
        new JitteredSchedule(random.derive("rhythm"), 0, Math.max(100, speed.realMillis(network.launchEvery()) / busy));
    this.affected = affected();
  }

  private @Nullable Long affected() {
    return switch (incident.scenario()) {
      case NEW_POOL -> network == Network.BASE ? Long.valueOf(rhythm.numberAt(incident.from()) + 1) : null;
      case GRADUATION -> network == Network.SOLANA ? Long.valueOf(rhythm.numberAt(incident.from() - CURVE)) : null;
      default -> null;
    };
  }

  /** Those that were there at a time, newest first, without end. */
  Stream<TokenLaunch> before(long at) {
    return numbers(at).mapToObj(this::launch);
  }

  /**
   * Those whose curve fills, launched before a time, newest first; they need not be through yet. Without end, but in a
   * quiet market.
   */
  Stream<TokenLaunch> graduating(long at) {
    if (incident.isQuiet()) {
      return Stream.ofNullable(affected).filter(number -> graduates(number) && number <= rhythm.numberAt(at))
          .map(this::launch);
    }
    return network.graduateDex() == null ? Stream.of() : numbers(at).filter(this::graduates).mapToObj(this::launch);
  }

  private LongStream numbers(long at) {
    return LongStream.iterate(rhythm.numberAt(at), number -> number - 1);
  }

  /** The launch of a token or pool address; null where there is none yet. */
  @Nullable
  TokenLaunch find(String address, long at) {
    return Stream.of(Kind.LAUNCHED_TOKEN, Kind.LAUNCH_POOL, Kind.GRADUATE_POOL)
        .map(kind -> addresses.number(network, kind, address))
        .filter(Objects::nonNull)
        .filter(number -> number <= rhythm.numberAt(at))
        .findFirst()
        .map(this::launch)
        .orElse(null);
  }

  private boolean graduates(long number) {
    return incident.isQuiet() ? incident.is(Scenario.GRADUATION) && isAffected(number)
        : random.chance(GRADUATES, number);
  }

  private boolean isAffected(long number) {
    return affected != null && affected == number;
  }

  private TokenLaunch launch(long number) {
    if (known.size() > KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(number, this::made);
  }

  private TokenLaunch made(long number) {
    var own = random.derive(number);
    var name = names.of(own);
    String address = addresses.address(network, Kind.LAUNCHED_TOKEN, number);
    int decimals = network.hexadecimal() ? 18 : 6;
    var token = new SimulatedToken(network, address, name.name(), name.symbol(), decimals, null, SUPPLY);
    boolean ordinary = network.graduateDex() == null || (incident.isQuiet() && !graduates(number));
    return ordinary ? ordinary(number, own, token) : bonding(number, own, token);
  }

  private TokenLaunch ordinary(long number, StatelessRandom own, SimulatedToken token) {
    var lifetime = market(own, 4, 48, 10);
    double quotes = raised(number, own) / quoteValue.reference();
    long ending =
        !isAffected(number) && own.chance(PULLED, 12) ? own.intBelow((int) LIFETIME_BLOCKS, 13) : Long.MAX_VALUE;
    var course = new YoungPoolDynamics(own, LIFETIME_BLOCKS, quotes / (SUPPLY / 2), quotes, quoteValue, ending);
    var trades = trades(own, rhythm.timeOf(number), lifetime, LIFETIME_BLOCKS, course);
    String address = addresses.address(network, Kind.LAUNCH_POOL, number);
    return new TokenLaunch(token, pool(address, network.launchDex(), token, trades), null, null);
  }

  /** USD of one side at the beginning: of dust where nobody is to hear of it. */
  private double raised(long number, StatelessRandom own) {
    if (!incident.isQuiet()) {
      return own.between(2_000, 40_000, 11);
    }
    return isAffected(number) ? FAIR_SIZED : own.between(20, 400, 11);
  }

  private TokenLaunch bonding(long number, StatelessRandom own, SimulatedToken token) {
    double peak = graduates(number) ? 1 : own.between(0.02, 0.8, 10);
    var curve = new BondingCurveDynamics(own, CURVE_BLOCKS, isAffected(number) ? NEARLY : 0, peak, quoteValue);
    long lifetime = isAffected(number) ? incident.from() - rhythm.timeOf(number) : market(own, 0.4, 2, 11);
    var trades = trades(own, rhythm.timeOf(number), lifetime, CURVE_BLOCKS, curve);
    String address = addresses.address(network, Kind.LAUNCH_POOL, number);
    var pool = pool(address, network.launchDex(), token, trades);
    return new TokenLaunch(token, pool, curve, curve.graduates() ? graduate(number, own, pool) : null);
  }

  private SimulatedPool graduate(long number, StatelessRandom own, SimulatedPool pool) {
    double quotes = BondingCurveDynamics.GOAL;
    long ending = own.chance(PULLED, 14) ? own.intBelow((int) LIFETIME_BLOCKS, 15) : Long.MAX_VALUE;
    var course = new YoungPoolDynamics(
        own.derive("life"), LIFETIME_BLOCKS, BondingCurveDynamics.GRADUATION_PRICE, quotes, quoteValue, ending);
    long through = pool.trades().timeOf(CURVE_BLOCKS) + SETTLING;
    var trades = trades(own.derive("life"), through, market(own, 12, 60, 16), LIFETIME_BLOCKS, course);
    String address = addresses.address(network, Kind.GRADUATE_POOL, number);
    return pool(address, Objects.requireNonNull(network.graduateDex()), pool.base(), trades);
  }

  /** Real milliseconds of so many market hours. */
  private long market(StatelessRandom own, double least, double most, long number) {
    return speed.realMillis(Duration.ofSeconds((long) (3_600 * own.between(least, most, number))));
  }

  private TradeHistory trades(StatelessRandom own, long created, long lifetime, long blocks, PoolDynamics course) {
    var beat = new JitteredSchedule(own.derive("rhythm"), created, Math.max(1, lifetime / blocks));
    return new TradeHistory(own.derive("tape"), beat, blocks, course, 60);
  }

  private SimulatedPool pool(String address, String dex, SimulatedToken token, TradeHistory trades) {
    return new SimulatedPool(address, dex, null, token, quote, trades, TRADERS);
  }
}
