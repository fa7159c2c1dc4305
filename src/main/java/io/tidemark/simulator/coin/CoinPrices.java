package io.tidemark.simulator.coin;

import io.tidemark.market.Failure;
import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.coin.Coin.Nature;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.RandomWalk;
import io.tidemark.simulator.generator.StatelessRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** What every coin costs and how much of it is traded, at any time: all other prices are made of these. */
public final class CoinPrices {
  private static final double DAY = 86_400;
  private static final double FINEST = 64;
  private static final int LATTICES = 10;
  private static final double OFF_PEG = 0.985;
  private static final double RISE = 0.1;

  private final MarketSpeed speed;
  private final SequencedMap<String, Coin> coins = new LinkedHashMap<>();
  private final Map<String, RandomWalk> prices = new LinkedHashMap<>();
  private final Map<String, RandomWalk> volumes = new LinkedHashMap<>();
  private final Depegs depegs;
  private final Incident incident;

  public CoinPrices(StatelessRandom random, MarketSpeed speed, Incident incident) {
    this.speed = speed;
    this.incident = incident;
    this.depegs = new Depegs(random.derive("depegs"));
    for (var coin : CoinCatalogue.COINS) {
      coins.put(coin.id(), coin);
      prices.put(coin.id(), priceWalk(coin, random.derive(coin.id())));
      volumes.put(coin.id(),
          new RandomWalk(random.derive(coin.id()).derive("volume"), 4 * FINEST, 6, 0.5 / Math.sqrt(DAY)));
    }
  }

  private static RandomWalk priceWalk(Coin coin, StatelessRandom random) {
    return switch (coin.nature()) {
      case FREE -> new RandomWalk(random, FINEST, LATTICES, 0.03 / Math.sqrt(DAY));
      case WILD -> new RandomWalk(random, FINEST, LATTICES, 0.06 / Math.sqrt(DAY));
      case STABLE, FRAGILE, ETHER -> new RandomWalk(random, FINEST, 3, 0.003 / Math.sqrt(DAY));
    };
  }

  public List<Coin> all() {
    return List.copyOf(coins.values());
  }

  /**
   * The coin of an id.
   *
   * @throws Failure.NotFound where there is none
   */
  public Coin coin(String id) {
    var coin = find(id);
    if (coin == null) {
      throw new Failure.NotFound("coin not found: " + id);
    }
    return coin;
  }

  @Nullable
  Coin find(String id) {
    return coins.get(id);
  }

  /** USD at a time in epoch milliseconds. */
  public double price(String id, long at) {
    var coin = coin(id);
    var time = speed.marketSeconds(at);
    var own = StrictMath.exp(walk(prices, id).at(time));
    return shock(id, at) * switch (coin.nature()) {
      case FREE, WILD, STABLE -> coin.price() * own;
      case FRAGILE -> coin.price() * own * (incident.isQuiet() ? 1 : depegs.at(time));
      case ETHER -> price("ethereum", at) * own;
    };
  }

  /** What an incident makes of a price. */
  private double shock(String id, long at) {
    return switch (id) {
      case "dai" -> incident.isOngoing(Scenario.DEPEG, at) ? OFF_PEG : 1;
      case "bitcoin" -> 1 + RISE * incident.progress(Scenario.DOMINANCE_SHIFT, at);
      default -> 1;
    };
  }

  /** Market capitalisation in USD. */
  public double cap(Coin coin, long at) {
    return price(coin.id(), at) * coin.supply();
  }

  /** Volume of 24 hours in USD. */
  public double volume(Coin coin, long at) {
    return cap(coin, at) * coin.turnover() * StrictMath.exp(walk(volumes, coin.id()).at(speed.marketSeconds(at)));
  }

  private static RandomWalk walk(Map<String, RandomWalk> walks, String id) {
    var walk = walks.get(id);
    if (walk == null) {
      throw new IllegalArgumentException("no such coin: " + id);
    }
    return walk;
  }

  /** Whether a coin is meant to be a dollar. */
  public static boolean stable(Coin coin) {
    return coin.nature() == Nature.STABLE || coin.nature() == Nature.FRAGILE;
  }
}
