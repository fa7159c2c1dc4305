package io.tidemark.simulator;

import io.tidemark.market.PoolSort;
import io.tidemark.market.TokenPoolSort;
import io.tidemark.market.TrendingDuration;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The orders of lists: figures of which the greatest comes first. */
final class Ranks {
  private record Ranked(PoolFacts pool, double figure) {}

  private Ranks() {}

  /** The pools in order; what is equal stands by its id. */
  static List<PoolFacts> order(Stream<PoolFacts> pools, long at, ToDoubleFunction<Activity> figure) {
    return pools
        .map(pool -> new Ranked(pool, figure.applyAsDouble(new Activity(pool, at))))
        .sorted(Comparator.comparingDouble(Ranked::figure).reversed().thenComparing(ranked -> ranked.pool().id()))
        .map(Ranked::pool)
        .toList();
  }

  static ToDoubleFunction<Activity> by(PoolSort sort) {
    return switch (sort) {
      case H24_TX_COUNT_DESC -> Ranks::trades;
      case H24_VOLUME_USD_DESC -> Ranks::volume;
    };
  }

  static ToDoubleFunction<Activity> by(TokenPoolSort sort) {
    return switch (sort) {
      case H24_VOLUME_USD_LIQUIDITY_DESC -> Ranks::weight;
      case H24_TX_COUNT_DESC -> Ranks::trades;
      case H24_VOLUME_USD_DESC -> Ranks::volume;
    };
  }

  /** Trending is what many people trade while its price moves. */
  static ToDoubleFunction<Activity> by(TrendingDuration duration) {
    var window = switch (duration) {
      case M5 -> Window.M5;
      case H1 -> Window.H1;
      case H6 -> Window.H6;
      case H24 -> Window.H24;
    };
    return pool -> (pool.buyers(window) + pool.sellers(window)) * (1 + Math.abs(pool.move(window)) / 100);
  }

  /** Volume and liquidity together, as one mean. */
  static double weight(Activity pool) {
    return Math.sqrt(volume(pool)) * Math.sqrt(pool.reserveUsd());
  }

  private static double trades(Activity pool) {
    return pool.flow(Window.H24).trades();
  }

  private static double volume(Activity pool) {
    return pool.flow(Window.H24).usd();
  }
}
