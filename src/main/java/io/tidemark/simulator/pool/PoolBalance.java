package io.tidemark.simulator.pool;

/**
 * What a constant-product pool holds and what it is worth.
 *
 * @param price quote tokens for one base token
 * @param depth square root of the product of both balances
 * @param quoteUsd what a quote token costs
 */
public record PoolBalance(double price, double depth, double quoteUsd) {
  double base() {
    return depth / Math.sqrt(price);
  }

  double quote() {
    return depth * Math.sqrt(price);
  }

  public double baseUsd() {
    return price * quoteUsd;
  }

  /** Both sides are worth the same. */
  public double sideUsd() {
    return quote() * quoteUsd;
  }

  double reserveUsd() {
    return 2 * sideUsd();
  }
}
