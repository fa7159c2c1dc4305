package io.tidemark.simulator;

import io.tidemark.simulator.Addresses.Kind;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The launches of one network, numbered since 1970; each is made up from its number whenever it is asked for. */
final class Launches {
  private static final int BUSY = 10;
  private static final double GRADUATES = 0.02;
  private static final double PULLED = 0.5;
  private static final long CURVE_BLOCKS = 96;
  private static final long LIFE_BLOCKS = 256;
  private static final double SUPPLY = 1e9;
  private static final double TRADERS = 400;
  private static final long SETTLING = 1_000;
  private static final int KNOWN = 2_000;
  private static final double FAIR_SIZED = 6_000;
  private static final double NEARLY = 0.9;

  /** How long before its end the curve of an incident is begun. */
  private static final long CURVE = Duration.ofHours(1).toMillis();

  private final Network network;
  private final Noise noise;
  private final Pace pace;
  private final Addresses addresses;
  private final Names names;
  private final TokenFacts quote;
  private final Worth quoteWorth;
  private final Rhythm rhythm;
  private final Incident incident;

  /** The launch of the incident; none where it is of something else. */
  private final @Nullable Long struck;

  /** Saves making them up again, no more. */
  private final Map<Long, Launch> known = new ConcurrentHashMap<>();

  Launches(Network network, Noise noise, SimulatorSettings settings, Addresses addresses, Catalogue catalogue) {
    this.network = network;
    this.noise = noise;
    this.pace = new Pace(settings.speed());
    this.addresses = addresses;
    this.names = new Names(settings.scenario());
    this.quote = catalogue.wrapped(network);
    this.quoteWorth = catalogue.worth(quote);
    this.incident = Incident.of(settings);
    int busy = settings.scenario() == Scenario.LAUNCH_DAY ? BUSY : 1;
    this.rhythm = new Rhythm(noise.of("rhythm"), 0, Math.max(100, pace.real(network.launchEvery()) / busy));
    this.struck = struck();
  }

  private @Nullable Long struck() {
    return switch (incident.scenario()) {
      case NEW_POOL -> network == Network.BASE ? Long.valueOf(rhythm.last(incident.from()) + 1) : null;
      case GRADUATION -> network == Network.SOLANA ? Long.valueOf(rhythm.last(incident.from() - CURVE)) : null;
      default -> null;
    };
  }

  /** Those that were there at a time, newest first, without end. */
  Stream<Launch> before(long at) {
    return numbers(at).mapToObj(this::launch);
  }

  /**
   * Those whose curve fills, launched before a time, newest first; they need not be through yet. Without end, but in a
   * quiet market.
   */
  Stream<Launch> graduating(long at) {
    if (incident.isQuiet()) {
      return Stream.ofNullable(struck).filter(number -> graduates(number) && number <= rhythm.last(at))
          .map(this::launch);
    }
    return network.graduateDex() == null ? Stream.of() : numbers(at).filter(this::graduates).mapToObj(this::launch);
  }

  private LongStream numbers(long at) {
    return LongStream.iterate(rhythm.last(at), number -> number - 1);
  }

  /** The launch of a token or pool address; null where there is none yet. */
  @Nullable
  Launch find(String address, long at) {
    return Stream.of(Kind.LAUNCHED_TOKEN, Kind.LAUNCH_POOL, Kind.GRADUATE_POOL)
        .map(kind -> addresses.number(network, kind, address))
        .filter(Objects::nonNull)
        .filter(number -> number <= rhythm.last(at))
        .findFirst()
        .map(this::launch)
        .orElse(null);
  }

  private boolean graduates(long number) {
    return incident.isQuiet() ? incident.is(Scenario.GRADUATION) && isStruck(number) : noise.chance(GRADUATES, number);
  }

  private boolean isStruck(long number) {
    return struck != null && struck == number;
  }

  private Launch launch(long number) {
    if (known.size() > KNOWN) {
      known.clear();
    }
    return known.computeIfAbsent(number, this::made);
  }

  private Launch made(long number) {
    var own = noise.of(number);
    var name = names.of(own);
    String address = addresses.address(network, Kind.LAUNCHED_TOKEN, number);
    int decimals = network.hexadecimal() ? 18 : 6;
    var token = new TokenFacts(network, address, name.name(), name.symbol(), decimals, null, SUPPLY);
    boolean ordinary = network.graduateDex() == null || (incident.isQuiet() && !graduates(number));
    return ordinary ? ordinary(number, own, token) : bonding(number, own, token);
  }

  private Launch ordinary(long number, Noise own, TokenFacts token) {
    var life = market(own, 4, 48, 10);
    double quotes = raised(number, own) / quoteWorth.reference();
    long ending = !isStruck(number) && own.chance(PULLED, 12) ? own.below((int) LIFE_BLOCKS, 13) : Long.MAX_VALUE;
    var course = new LifeCourse(own, LIFE_BLOCKS, quotes / (SUPPLY / 2), quotes, quoteWorth, ending);
    var tape = tape(own, rhythm.time(number), life, LIFE_BLOCKS, course);
    String address = addresses.address(network, Kind.LAUNCH_POOL, number);
    return new Launch(token, pool(address, network.launchDex(), token, tape), null, null);
  }

  /** USD of one side at the beginning: of dust where nobody is to hear of it. */
  private double raised(long number, Noise own) {
    if (!incident.isQuiet()) {
      return own.between(2_000, 40_000, 11);
    }
    return isStruck(number) ? FAIR_SIZED : own.between(20, 400, 11);
  }

  private Launch bonding(long number, Noise own, TokenFacts token) {
    double peak = graduates(number) ? 1 : own.between(0.02, 0.8, 10);
    var curve = new CurveCourse(own, CURVE_BLOCKS, isStruck(number) ? NEARLY : 0, peak, quoteWorth);
    long life = isStruck(number) ? incident.from() - rhythm.time(number) : market(own, 0.4, 2, 11);
    var tape = tape(own, rhythm.time(number), life, CURVE_BLOCKS, curve);
    String address = addresses.address(network, Kind.LAUNCH_POOL, number);
    var pool = pool(address, network.launchDex(), token, tape);
    return new Launch(token, pool, curve, curve.graduates() ? graduate(number, own, pool) : null);
  }

  private PoolFacts graduate(long number, Noise own, PoolFacts pool) {
    double quotes = CurveCourse.GOAL;
    long ending = own.chance(PULLED, 14) ? own.below((int) LIFE_BLOCKS, 15) : Long.MAX_VALUE;
    var course = new LifeCourse(
        own.of("life"), LIFE_BLOCKS, CurveCourse.GRADUATION_PRICE, quotes, quoteWorth, ending);
    long through = pool.tape().time(CURVE_BLOCKS) + SETTLING;
    var tape = tape(own.of("life"), through, market(own, 12, 60, 16), LIFE_BLOCKS, course);
    String address = addresses.address(network, Kind.GRADUATE_POOL, number);
    return pool(address, Objects.requireNonNull(network.graduateDex()), pool.base(), tape);
  }

  /** Real milliseconds of so many market hours. */
  private long market(Noise own, double least, double most, long number) {
    return pace.real(Duration.ofSeconds((long) (3_600 * own.between(least, most, number))));
  }

  private Tape tape(Noise own, long created, long life, long blocks, Course course) {
    var beat = new Rhythm(own.of("rhythm"), created, Math.max(1, life / blocks));
    return new Tape(own.of("tape"), beat, blocks, course, 60);
  }

  private PoolFacts pool(String address, String dex, TokenFacts token, Tape tape) {
    return new PoolFacts(address, dex, null, token, quote, tape, TRADERS);
  }
}
