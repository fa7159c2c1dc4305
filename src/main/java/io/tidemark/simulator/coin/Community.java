package io.tidemark.simulator.coin;

import io.tidemark.event.CodeAdditionsDeletions;
import io.tidemark.event.CoinDayCommunity;
import io.tidemark.event.CoinDayDevelopment;
import io.tidemark.event.CoinDayInterest;
import io.tidemark.simulator.generator.AnswerFormats;
import io.tidemark.simulator.generator.StatelessRandom;

/** What people said and wrote about a coin, by day; totals only grow. */
record Community(StatelessRandom random) {
  private static final int BUSY = 3_000;
  private static final double UNSOLVED = 200;

  CoinDayCommunity figures(Coin coin, long day) {
    var mood = random.derive(coin.id()).derive("reddit");
    double subscribers = size(coin) * 200 + day * 7;
    return new CoinDayCommunity(
        null,
        AnswerFormats.rounded(mood.between(0, 12, day), 3),
        AnswerFormats.rounded(mood.between(0, 400, ~day), 3),
        subscribers,
        Math.floor(subscribers * mood.between(0.0005, 0.002, day)));
  }

  CoinDayDevelopment development(Coin coin, long day) {
    var work = random.derive(coin.id()).derive("code");
    double size = size(coin);
    return new CoinDayDevelopment(
        12 * size,
        25 * size,
        grown(size, day, 50),
        grown(3 * size, day, 4),
        grown(3 * size, day, 4) - UNSOLVED,
        grown(4 * size, day, 3),
        Math.floor(size / 3),
        (double) work.intBelow(300, day),
        new CodeAdditionsDeletions((double) work.intBelow(9_000, day), (double) -work.intBelow(6_000, ~day)));
  }

  /** A total that grows by one in so many days. */
  private static double grown(double size, long day, int days) {
    return size + Math.floorDiv(day, days);
  }

  CoinDayInterest interest() {
    return new CoinDayInterest(null, null);
  }

  /** How much goes on around a coin at all. */
  private double size(Coin coin) {
    return 300 + random.derive(coin.id()).intBelow(BUSY, 0);
  }
}
