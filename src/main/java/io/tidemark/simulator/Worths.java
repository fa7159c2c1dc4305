package io.tidemark.simulator;

/** What tokens are worth: as much as the coin they stand for, or what their own fortune makes of them. */
final class Worths {
  private static final double DAY = 86_400;

  private final Noise noise;
  private final Coins coins;
  private final Pace pace;

  Worths(Noise noise, Coins coins, Pace pace) {
    this.noise = noise;
    this.coins = coins;
    this.pace = pace;
  }

  Worth of(Coin coin) {
    return new OfCoin(coins, coin);
  }

  /** Of a token that is known to no one else. */
  Worth fortune(String token, double reference) {
    return new Fortune(new Walk(noise.of(token), 64, 9, 0.1 / Math.sqrt(DAY)), pace, reference);
  }

  private record OfCoin(Coins coins, Coin coin) implements Worth {
    @Override
    public double usd(long at) {
      return coins.price(coin.id(), at);
    }

    @Override
    public double reference() {
      return coin.price();
    }
  }

  private record Fortune(Walk walk, Pace pace, double reference) implements Worth {
    @Override
    public double usd(long at) {
      return reference * StrictMath.exp(walk.at(pace.marketSeconds(at)));
    }
  }
}
