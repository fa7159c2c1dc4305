package io.tidemark.simulator;

import io.tidemark.simulator.AddressCodec.AddressKind;
import io.tidemark.simulator.PoolDirectory.PoolIncidents;
import io.tidemark.simulator.PoolDynamics.EstablishedPoolDynamics;
import io.tidemark.simulator.PoolDynamics.TokenValue;
import io.tidemark.simulator.TextTable.TableRow;
import io.tidemark.simulator.TradeHistory.BlockCache;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges, tokens and pools that exist at all times. They are listed in resource tables, except a number of small
 * pools on each network.
 */
final class EstablishedPools {

  /**
   * Size and pace of an established pool.
   *
   * @param turnover share of the reserve that is traded in a market day
   * @param block market time from one block to the next
   * @param tradingPeriod real time from the creation of the pool to its last trade
   */
  private record PoolSize(double reserveUsd, double turnover, Duration block, Duration tradingPeriod) {
    static final Duration FOR_EVER = Duration.ofDays(100_000);

    /** Minimum real time between blocks. At high speed, each block has more trades. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    /** Returns the real milliseconds from one block to the next. */
    long period(MarketSpeed speed) {
      return Math.max(SHORTEST.toMillis(), speed.realMillis(block));
    }

    /** Returns the share of the reserve that is traded in an ordinary block. */
    double turnover(MarketSpeed speed) {
      return turnover * period(speed) * speed.factor() / Duration.ofDays(1).toMillis();
    }

    long blocks(MarketSpeed speed) {
      return tradingPeriod.toMillis() / period(speed);
    }

    double tradeUsd() {
      return Math.max(20, StrictMath.pow(reserveUsd, 0.45));
    }

    double traders() {
      return Math.max(25, Math.sqrt(reserveUsd));
    }
  }

  private static final Instant EARLIEST = Instant.parse("2021-05-05T00:00:00Z");
  private static final int CREATION_MINUTES = 1_000_000;
  private static final int SMALL_POOLS = 28;

  private final StatelessRandom random;
  private final MarketSpeed speed;
  private final AddressCodec addresses;
  private final CoinPrices coins;
  private final boolean quiet;
  private final PoolIncidents incidents;
  private final BlockCache blockCache = new BlockCache();

  private final Map<Network, Map<String, String>> exchanges = new EnumMap<>(Network.class);
  private final Map<Network, List<SimulatedToken>> tokens = new EnumMap<>(Network.class);
  private final Map<Network, List<SimulatedPool>> pools = new EnumMap<>(Network.class);
  private final Map<String, TokenValue> values = new HashMap<>();

  /**
   * @param quiet whether, without an incident, no pool loses nearly all of its liquidity, and the trades that do not
   *     move the price stay the same; the usual changes of liquidity go on
   */
  EstablishedPools(StatelessRandom random, MarketSpeed speed, AddressCodec addresses, CoinPrices coins,
      RandomTokenNames names, boolean quiet, PoolIncidents incidents) {
    this.random = random;
    this.speed = speed;
    this.addresses = addresses;
    this.coins = coins;
    this.quiet = quiet;
    this.incidents = incidents;
    for (var network : Network.values()) {
      exchanges.put(network, new LinkedHashMap<>());
      tokens.put(network, new ArrayList<>());
      pools.put(network, new ArrayList<>());
    }
    fill(names);
  }

  /** Returns the names of a network's exchanges by their ids. */
  Map<String, String> exchanges(Network network) {
    return Objects.requireNonNull(exchanges.get(network));
  }

  List<SimulatedToken> tokens(Network network) {
    return Objects.requireNonNull(tokens.get(network));
  }

  List<SimulatedPool> pools(Network network) {
    return Objects.requireNonNull(pools.get(network));
  }

  /** Returns the token that stands for the native coin of the network, such as WETH for ether. */
  SimulatedToken wrapped(Network network) {
    return token(network, network.wrapped);
  }

  private SimulatedToken token(Network network, String symbol) {
    return tokens(network).stream().filter(token -> token.symbol().equals(symbol)).findFirst().orElseThrow();
  }

  TokenValue value(SimulatedToken token) {
    return Objects.requireNonNull(values.get(token.id()));
  }

  private void fill(RandomTokenNames names) {
    TextTable.read("exchanges.txt").forEach(row -> exchanges(Network.of(row.text(0))).put(row.text(1), row.text(2)));
    TextTable.read("tokens.txt").forEach(this::addToken);
    TextTable.read("pools.txt").forEach(this::addPool);
    for (var network : Network.values()) {
      for (int i = 0; i < SMALL_POOLS; i++) {
        addSmallPool(network, random.derive(network.id()).derive(i), names);
      }
    }
  }

  private void addToken(TableRow row) {
    var network = Network.of(row.text(0));
    String address = Objects.requireNonNullElseGet(row.textOrNull(2), () -> tokenAddress(network));
    var coin = row.textOrNull(5) == null ? null : coins.coin(row.text(5));
    var token = new SimulatedToken(
        network, address, row.text(3), row.text(1), (int) row.number(4), coin, row.number(7));
    add(token, coin == null ? independentValue(token, row.number(6)) : valueOf(coin));
  }

  private void addPool(TableRow row) {
    var network = Network.of(row.text(0));
    var days = row.longOrNull(9);
    var size = new PoolSize(
        row.number(6), row.number(7), Duration.ofSeconds((long) row.number(8)),
        days == null ? PoolSize.FOR_EVER : Duration.ofDays(days));
    var base = token(network, row.text(2));
    var quote = token(network, row.text(3));
    add(poolAddress(network, row.text(5)), row.text(1), row.textOrNull(4), base, quote, size);
  }

  private void addSmallPool(Network network, StatelessRandom own, RandomTokenNames names) {
    var name = names.of(own);
    var token = new SimulatedToken(network, tokenAddress(network), name.name(), name.symbol(), 18, null, 1e9);
    add(token, independentValue(token, StrictMath.exp(own.between(-14, 1, 10))));
    var block = Duration.ofSeconds(900 + own.intBelow(2_700, 11));
    var size = new PoolSize(StrictMath.exp(own.between(9, 14, 12)), own.between(0.05, 1, 13), block, PoolSize.FOR_EVER);
    var dexes = List.copyOf(exchanges(network).keySet());
    String dex = dexes.get(own.chance(0.8, 14) ? 1 : 0);
    add(poolAddress(network, "-"), dex, null, token, wrapped(network), size);
  }

  private TokenValue independentValue(SimulatedToken token, double reference) {
    var walk = RandomWalk.daily(random.derive("fortunes").derive(token.id()), 64, 9, 0.1);
    return new TokenValue(reference, at -> reference * walk.factor(speed.marketSeconds(at)));
  }

  /** Returns the cache of the trades of single blocks of all pools of this market. */
  BlockCache blockCache() {
    return blockCache;
  }

  private TokenValue valueOf(SimulatedCoin coin) {
    return new TokenValue(coin.price(), at -> coins.price(coin.id(), at));
  }

  private void add(SimulatedToken token, TokenValue value) {
    tokens(token.network()).add(token);
    values.put(token.id(), value);
  }

  private void add(
      String address, String dex, @Nullable String fee, SimulatedToken base, SimulatedToken quote, PoolSize size) {
    var own = random.derive(address);
    var created = EARLIEST.plus(Duration.ofMinutes(own.intBelow(CREATION_MINUTES, -1)));
    var schedule = new JitteredSchedule(own.derive("rhythm"), created.toEpochMilli(), size.period(speed));
    var dynamics = new EstablishedPoolDynamics(
        own, schedule, value(base), value(quote), size.reserveUsd(), size.turnover(speed), quiet,
        base.isAffectedByIncidents() ? incidents : PoolIncidents.NONE);
    var history =
        new TradeHistory(own.derive("tape"), schedule, size.blocks(speed), dynamics, size.tradeUsd(), blockCache);
    pools(base.network()).add(new SimulatedPool(address, dex, fee, base, quote, history, size.traders()));
  }

  private String tokenAddress(Network network) {
    return addresses.address(network, AddressKind.TOKEN, tokens(network).size());
  }

  private String poolAddress(Network network, String cell) {
    long number = pools(network).size();
    return switch (cell) {
      case "-" -> addresses.address(network, AddressKind.POOL, number);
      case "id" -> addresses.poolId(network, number);
      default -> cell;
    };
  }
}
