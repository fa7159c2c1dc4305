package io.tidemark.simulator.exchange;

import org.jspecify.annotations.Nullable;

/**
 * A coin on offer at one market, before it is put into an answer.
 *
 * @param target coin or currency it is traded for, with its coin where it is one
 * @param usd price of the coin in USD
 * @param targetUsd price of the target in USD
 * @param volume of 24 hours, in coins
 * @param spread percent
 * @param depthUsd cost of moving the price by 2 percent, about
 * @param traded when it was traded last
 * @param fetched when the service looked last
 */
record TickerOffer(
    String market,
    String marketName,
    String base,
    String target,
    @Nullable String targetCoin,
    double usd,
    double targetUsd,
    double volume,
    double spread,
    double depthUsd,
    long traded,
    long fetched,
    boolean stale,
    boolean anomaly) {
  double last() {
    return usd / targetUsd;
  }

  double volumeUsd() {
    return volume * usd;
  }
}
