package io.tidemark.simulator;

import io.tidemark.simulator.TextTable.TableRow;
import io.tidemark.simulator.TreasuryOperation.HoldingIncidents;
import java.time.Duration;

/**
 * An entity's holding of a coin. The entity may buy or sell in each step of a schedule, and does so in about half of
 * the steps. Some holdings are closed for a time. In a quiet market, a holding changes only in an incident.
 *
 * @param size approximate number of coins while the holding is open
 * @param volatility relative standard deviation of the number of coins from one step to the next
 * @param openShare share of the time in which the holding is open
 */
record EntityHolding(
    String entity, StatelessRandom random, JitteredSchedule steps, CoinPrices coins, boolean quiet,
    HoldingIncidents incidents, SimulatedCoin coin, double size, double volatility, double openShare) {
  private static final Duration STEP = Duration.ofHours(12);
  private static final int PHASE = 10;
  private static final int IDLE = 40;
  private static final int ENTRIES = 8;

  static EntityHolding of(
      TableRow row, StatelessRandom random, MarketSpeed speed, CoinPrices coins, boolean quiet,
      HoldingIncidents incidents) {
    var own = random.derive(row.text(0)).derive(row.text(1));
    var steps = new JitteredSchedule(own.derive("steps"), 0, speed.realMillis(STEP));
    return new EntityHolding(
        row.text(0), own, steps, coins, quiet, incidents, coins.coin(row.text(1)), row.number(2), row.number(3),
        row.number(4));
  }

  /** Returns the number of whole coins, or 0 while the holding is closed. */
  double amount(long at) {
    return quiet ? Math.rint(size * quietShare(at)) : amountAfter(lastDeal(at));
  }

  private double amountAfter(long step) {
    boolean open = random.derive("phases").chance(openShare, Math.floorDiv(step, PHASE));
    return open
        ? Math.rint(size * new RandomWalk(random.derive("size"), 2, 6, volatility).factor((double) step))
        : 0;
  }

  /** Returns the number of coins that are held in a quiet market, as a multiple of {@code size}. */
  private double quietShare(long at) {
    return switch (entity + " " + coin.id()) {
      case "tesla dogecoin" -> incidents.opened().hasBegun(at) ? 1 : 0;
      case "strategy bitcoin" -> incidents.bought().hasBegun(at) ? 1.02 : 1;
      case "bhutan bitcoin" -> incidents.sold().hasBegun(at) ? 0.9 : 1;
      case "bhutan ethereum" -> incidents.closed().hasBegun(at) ? 0 : 1;
      default -> 1;
    };
  }

  /**
   * Returns the average price paid for a coin: the mean of the coin's prices at the last deal and at
   * {@code ENTRIES - 1} earlier times, which are {@code PHASE} steps apart.
   */
  double entryPrice(long at) {
    long step = lastDeal(at);
    double sum = 0;
    for (int i = 0; i < ENTRIES; i++) {
      sum += coins.price(coin.id(), steps.timeOf(step - (long) i * PHASE));
    }
    return sum / ENTRIES;
  }

  double valueUsd(long at) {
    return amount(at) * coins.price(coin.id(), at);
  }

  /**
   * Returns the last step in which the entity bought or sold. An entity also opens and closes a holding by buying and
   * selling.
   */
  private long lastDeal(long at) {
    long last = steps.numberAt(at);
    long step = last;
    while (step > last - IDLE && !random.chance(0.5, step)) {
      step--;
    }
    return step;
  }
}
