package io.tidemark.simulator;

import java.time.Duration;
import java.util.List;

/**
 * What an entity holds of a coin, from step to step; in about half of the steps it buys or sells. Some holdings are
 * closed for a while and opened again. In a quiet market all of them stand still.
 *
 * @param restless how much it changes from step to step
 * @param held share of the time for which there is anything at all
 */
record Position(
    String entity,
    Noise noise,
    Rhythm steps,
    Coins coins,
    Incident incident,
    Coin coin,
    double size,
    double restless,
    double held) {
  private static final Duration STEP = Duration.ofHours(12);
  private static final int PHASE = 10;
  private static final int IDLE = 40;
  private static final int ENTRIES = 8;

  static List<Position> of(Entity entity, Noise noise, Pace pace, Coins coins, Incident incident) {
    return Table.read("holdings.txt").stream()
        .filter(row -> row.get(0).equals(entity.id()))
        .map(row -> of(row, noise.of(entity.id()).of(row.get(1)), pace, coins, incident))
        .toList();
  }

  private static Position of(List<String> row, Noise noise, Pace pace, Coins coins, Incident incident) {
    var steps = new Rhythm(noise.of("steps"), 0, pace.real(STEP));
    return new Position(
        row.get(0),
        noise,
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
    return incident.isQuiet() ? Math.rint(size * share(at)) : amountAfter(deal(at));
  }

  private double amountAfter(long step) {
    boolean open = noise.of("phases").chance(held, Math.floorDiv(step, PHASE));
    return open ? Math.rint(size * StrictMath.exp(new Walk(noise.of("size"), 2, 6, restless).at((double) step))) : 0;
  }

  /** What is held in a quiet market, of what the table says: nobody deals but in an incident. */
  private double share(long at) {
    return switch (entity + " " + coin.id()) {
      case "tesla dogecoin" -> incident.began(Scenario.TREASURY_OPEN, at) ? 1 : 0;
      case "strategy bitcoin" -> incident.began(Scenario.TREASURY_BUY, at) ? 1.02 : 1;
      case "bhutan bitcoin" -> incident.began(Scenario.TREASURY_SELL, at) ? 0.9 : 1;
      case "bhutan ethereum" -> incident.began(Scenario.TREASURY_CLOSE, at) ? 0 : 1;
      default -> 1;
    };
  }

  /** What a coin cost on average when it was bought: what it did in the last few steps up to the newest deal. */
  double entry(long at) {
    long step = deal(at);
    double sum = 0;
    for (int i = 0; i < ENTRIES; i++) {
      sum += coins.price(coin.id(), steps.time(step - (long) i * PHASE));
    }
    return sum / ENTRIES;
  }

  double valueUsd(long at) {
    return amount(at) * coins.price(coin.id(), at);
  }

  /** The last step in which it bought or sold; a holding is opened and closed in such a step too. */
  private long deal(long at) {
    long last = steps.last(at);
    long step = last;
    while (step > last - IDLE && !noise.chance(0.5, step)) {
      step--;
    }
    return step;
  }
}
