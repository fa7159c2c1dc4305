package io.tidemark.simulator;

import io.tidemark.market.Failure;
import java.util.HashMap;
import java.util.Map;

/**
 * Price, market capitalisation and volume of every coin at any time. All other prices are derived from these, except
 * the values of tokens that stand for no coin.
 */
final class CoinPrices {
  private static final double FINEST = 64;
  private static final int LATTICES = 10;

  private static final double DEPEGGED = 0.985;
  private static final double RISE = 0.1;

  /**
   * Length of a cycle in market seconds. In each cycle, a fragile coin loses its peg once, for the fraction
   * {@code DEPEG_LENGTH} of the cycle.
   */
  private static final double DEPEG_CYCLE = 2 * 86_400;
  private static final double DEPEG_LENGTH = 0.15;
  private static final double DEPEG_DEEPEST = 0.08;

  /** A coin with the random walks of its price and of its trading volume, both over market seconds. */
  private record Movement(SimulatedCoin coin, RandomWalk price, RandomWalk volume) {}

  private final MarketSpeed speed;
  private final boolean quiet;
  private final Incident depeg;
  private final Incident dominanceShift;
  private final StatelessRandom depegs;
  private final Map<String, Movement> movements = new HashMap<>();

  /**
   * @param quiet whether coins lose their peg only in the incident
   * @param depeg incident in which dai loses its peg
   * @param dominanceShift incident in which bitcoin rises
   */
  CoinPrices(
      StatelessRandom random, MarketSpeed speed, boolean quiet, Incident depeg, Incident dominanceShift) {
    this.speed = speed;
    this.quiet = quiet;
    this.depeg = depeg;
    this.dominanceShift = dominanceShift;
    this.depegs = random.derive("depegs");
    for (var coin : SimulatedCoin.ALL) {
      var own = random.derive(coin.id());
      var volume = RandomWalk.daily(own.derive("volume"), 4 * FINEST, 6, 0.5);
      movements.put(coin.id(), new Movement(coin, priceWalk(coin, own), volume));
    }
  }

  private static RandomWalk priceWalk(SimulatedCoin coin, StatelessRandom random) {
    return switch (coin.model()) {
      case FREE -> RandomWalk.daily(random, FINEST, LATTICES, 0.03);
      case VOLATILE -> RandomWalk.daily(random, FINEST, LATTICES, 0.06);
      case STABLE, FRAGILE, ETHER -> RandomWalk.daily(random, FINEST, 3, 0.003);
    };
  }

  private Movement movement(String id) {
    var movement = movements.get(id);
    if (movement == null) {
      throw new Failure.NotFound("coin not found: " + id);
    }
    return movement;
  }

  /** Returns the coin with the given id. Fails with {@link Failure.NotFound} if there is no such coin. */
  SimulatedCoin coin(String id) {
    return movement(id).coin();
  }

  /** Returns the price of a coin in USD at a time in epoch milliseconds. */
  double price(String id, long at) {
    var movement = movement(id);
    var coin = movement.coin();
    double time = speed.marketSeconds(at);
    double walked = movement.price().factor(time);
    return incidentFactor(id, at) * switch (coin.model()) {
      case FREE, VOLATILE, STABLE -> coin.price() * walked;
      case FRAGILE -> coin.price() * walked * (quiet ? 1 : pegFactor(time));
      case ETHER -> price("ethereum", at) * walked;
    };
  }

  private double incidentFactor(String id, long at) {
    return switch (id) {
      case "dai" -> depeg.isOngoing(at) ? DEPEGGED : 1;
      case "bitcoin" -> 1 + RISE * dominanceShift.progress(at);
      default -> 1;
    };
  }

  private double pegFactor(double time) {
    long cycle = (long) Math.floor(time / DEPEG_CYCLE);
    double start = depegs.between(0, 1 - DEPEG_LENGTH, 2 * cycle);
    double place = (time / DEPEG_CYCLE - cycle - start) / DEPEG_LENGTH;
    boolean depegged = place > 0 && place < 1;
    return depegged
        ? 1 - depegs.between(0.02, DEPEG_DEEPEST, 2 * cycle + 1) * StrictMath.sin(Math.PI * place)
        : 1;
  }

  /** Returns the market capitalisation in USD. */
  double cap(SimulatedCoin coin, long at) {
    return price(coin.id(), at) * coin.supply();
  }

  /** Returns the trading volume of 24 hours in USD. */
  double volume(SimulatedCoin coin, long at) {
    return cap(coin, at) * coin.turnover() * movement(coin.id()).volume().factor(speed.marketSeconds(at));
  }
}
