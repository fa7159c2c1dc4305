package io.tidemark.simulator;

import org.jspecify.annotations.Nullable;

/**
 * What a ticker says of a coin at one market.
 *
 * @param target coin or currency it is traded for
 * @param targetCoin id of the target's coin; null for a currency
 * @param volume of 24 hours, in coins
 * @param spread percent
 * @param depthUsd approximate cost of moving the price by 2 percent
 * @param fetched time at which the service fetched it
 */
record TickerFigures(
    String market, String marketName, String base, String target, @Nullable String targetCoin, double usd,
    double targetUsd, double volume, double spread, double depthUsd, long traded, long fetched, boolean stale,
    boolean anomaly) {
  double last() {
    return usd / targetUsd;
  }

  double volumeUsd() {
    return volume * usd;
  }
}
