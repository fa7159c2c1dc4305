package io.tidemark.simulator;

import io.tidemark.market.Query.PoolSort;
import io.tidemark.market.Query.TokenPoolSort;
import io.tidemark.market.Query.TrendingDuration;
import io.tidemark.simulator.RollingActivity.RollingWindow;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Orders of pool lists, by a figure of which the largest comes first. */
final class PoolSorting {
  private record Ranked(SimulatedPool pool, double figure) {}

  private PoolSorting() {}

  /** The pools in order of a figure; pools with equal figures are ordered by id. */
  static List<SimulatedPool> order(Stream<SimulatedPool> pools, long at, ToDoubleFunction<RollingActivity> figure) {
    return pools
        .map(pool -> new Ranked(pool, figure.applyAsDouble(new RollingActivity(pool, at))))
        .sorted(Comparator.comparingDouble(Ranked::figure).reversed().thenComparing(ranked -> ranked.pool().id()))
        .map(Ranked::pool)
        .toList();
  }

  static ToDoubleFunction<RollingActivity> by(PoolSort sort) {
    return switch (sort) {
      case H24_TX_COUNT_DESC -> pool -> pool.trades(RollingWindow.H24);
      case H24_VOLUME_USD_DESC -> pool -> pool.volumeUsd(RollingWindow.H24);
    };
  }

  static ToDoubleFunction<RollingActivity> by(TokenPoolSort sort) {
    return switch (sort) {
      case H24_VOLUME_USD_LIQUIDITY_DESC -> PoolSorting::weight;
      case H24_TX_COUNT_DESC -> pool -> pool.trades(RollingWindow.H24);
      case H24_VOLUME_USD_DESC -> pool -> pool.volumeUsd(RollingWindow.H24);
    };
  }

  /** Trending pools are those that many people trade while their price moves. */
  static ToDoubleFunction<RollingActivity> by(TrendingDuration duration) {
    var window = switch (duration) {
      case M5 -> RollingWindow.M5;
      case H1 -> RollingWindow.H1;
      case H6 -> RollingWindow.H6;
      case H24 -> RollingWindow.H24;
    };
    return pool -> (pool.buyers(window) + pool.sellers(window)) * (1 + Math.abs(pool.move(window)) / 100);
  }

  /** Geometric mean of volume and liquidity. */
  static double weight(RollingActivity pool) {
    return Math.sqrt(pool.volumeUsd(RollingWindow.H24)) * Math.sqrt(pool.reserveUsd());
  }
}
