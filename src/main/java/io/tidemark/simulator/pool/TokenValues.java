package io.tidemark.simulator.pool;

import io.tidemark.simulator.coin.Coin;
import io.tidemark.simulator.coin.CoinPrices;
import io.tidemark.simulator.generator.MarketSpeed;
import io.tidemark.simulator.generator.RandomWalk;
import io.tidemark.simulator.generator.StatelessRandom;

/** What tokens are worth: as much as the coin they stand for, or what their own fortune makes of them. */
final class TokenValues {
  private static final double DAY = 86_400;

  private final StatelessRandom random;
  private final CoinPrices coins;
  private final MarketSpeed speed;

  TokenValues(StatelessRandom random, CoinPrices coins, MarketSpeed speed) {
    this.random = random;
    this.coins = coins;
    this.speed = speed;
  }

  TokenValue of(Coin coin) {
    return new OfCoin(coins, coin);
  }

  /** Of a token that is known to no one else. */
  TokenValue independent(String token, double reference) {
    return new Fortune(new RandomWalk(random.derive(token), 64, 9, 0.1 / Math.sqrt(DAY)), speed, reference);
  }

  private record OfCoin(CoinPrices coins, Coin coin) implements TokenValue {
    @Override
    public double usd(long at) {
      return coins.price(coin.id(), at);
    }

    @Override
    public double reference() {
      return coin.price();
    }
  }

  private record Fortune(RandomWalk walk, MarketSpeed speed, double reference) implements TokenValue {
    @Override
    public double usd(long at) {
      return reference * StrictMath.exp(walk.at(speed.marketSeconds(at)));
    }
  }
}
