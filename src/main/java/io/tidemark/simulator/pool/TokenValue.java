package io.tidemark.simulator.pool;

import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.coin.SimulatedCoin;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.RandomWalk;

/** The value of a token outside of its pools; prices in established pools follow it. */
sealed interface TokenValue {
  /** USD at a time in epoch milliseconds. */
  double usd(long at);

  /** USD around which the value wanders. */
  double reference();

  /** Value of a token that stands for a coin. */
  record OfCoin(CoinPrices coins, SimulatedCoin coin) implements TokenValue {
    @Override
    public double usd(long at) {
      return coins.price(coin.id(), at);
    }

    @Override
    public double reference() {
      return coin.price();
    }
  }

  /** Value of a token that stands for no coin. */
  record Independent(RandomWalk walk, MarketSpeed speed, double reference) implements TokenValue {
    @Override
    public double usd(long at) {
      return reference * walk.factor(speed.marketSeconds(at));
    }
  }
}
