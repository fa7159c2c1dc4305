package io.tidemark.simulator.treasury;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.coin.Coin;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.JitteredSchedule;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.RandomWalk;
import io.tidemark.simulator.generator.StatelessRandom;
import io.tidemark.simulator.generator.TextTable;
import java.time.Duration;
import java.util.List;

/**
 * What an entity holds of a coin, from step to step; in about half of the steps it buys or sells. Some holdings are
 * closed for a while and opened again. In a quiet market all of them stand still.
 *
 * @param volatility how much it changes from step to step
 * @param openShare share of the time for which there is anything at all
 */
record EntityHolding(
    String entity,
    StatelessRandom random,
    JitteredSchedule steps,
    CoinPrices coins,
    Incident incident,
    Coin coin,
    double size,
    double volatility,
    double openShare) {
  private static final Duration STEP = Duration.ofHours(12);
  private static final int PHASE = 10;
  private static final int IDLE = 40;
  private static final int ENTRIES = 8;

  static List<EntityHolding> of(TreasuryEntity entity, StatelessRandom random, MarketSpeed speed, CoinPrices coins,
      Incident incident) {
    return TextTable.read("holdings.txt").stream()
        .filter(row -> row.get(0).equals(entity.id()))
        .map(row -> of(row, random.derive(entity.id()).derive(row.get(1)), speed, coins, incident))
        .toList();
  }

  private static EntityHolding of(List<String> row, StatelessRandom random, MarketSpeed speed, CoinPrices coins,
      Incident incident) {
    var steps = new JitteredSchedule(random.derive("steps"), 0, speed.realMillis(STEP));
    return new EntityHolding(
        row.get(0),
        random,
        steps,
        coins,
        incident,
        coins.coin(row.get(1)),
        Double.parseDouble(row.get(2)),
        Double.parseDouble(row.get(3)),
        Double.parseDouble(row.get(4)));
  }

  /** Whole coins; 0 while the holding is closed. */
  double amount(long at) {
    return incident.isQuiet() ? Math.rint(size * share(at)) : amountAfter(lastDeal(at));
  }

  private double amountAfter(long step) {
    boolean open = random.derive("phases").chance(openShare, Math.floorDiv(step, PHASE));
    return open
        ? Math.rint(size * StrictMath.exp(new RandomWalk(random.derive("size"), 2, 6, volatility).at((double) step)))
        : 0;
  }

  /** What is held in a quiet market, of what the table says: nobody deals but in an incident. */
  private double share(long at) {
    return switch (entity + " " + coin.id()) {
      case "tesla dogecoin" -> incident.hasBegun(Scenario.TREASURY_OPEN, at) ? 1 : 0;
      case "strategy bitcoin" -> incident.hasBegun(Scenario.TREASURY_BUY, at) ? 1.02 : 1;
      case "bhutan bitcoin" -> incident.hasBegun(Scenario.TREASURY_SELL, at) ? 0.9 : 1;
      case "bhutan ethereum" -> incident.hasBegun(Scenario.TREASURY_CLOSE, at) ? 0 : 1;
      default -> 1;
    };
  }

  /** What a coin cost on average when it was bought: what it did in the last few steps up to the newest deal. */
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

  /** The last step in which it bought or sold; a holding is opened and closed in such a step too. */
  private long lastDeal(long at) {
    long last = steps.numberAt(at);
    long step = last;
    while (step > last - IDLE && !random.chance(0.5, step)) {
      step--;
    }
    return step;
  }
}
