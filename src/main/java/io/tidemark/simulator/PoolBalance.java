package io.tidemark.simulator;

/**
 * Balances of a constant-product pool and their value. Both sides have the same value.
 *
 * @param price quote tokens for one base token
 * @param depth square root of the product of both balances
 * @param quoteUsd price of a quote token
 */
record PoolBalance(double price, double depth, double quoteUsd) {
  double base() {
    return depth / Math.sqrt(price);
  }

  double quote() {
    return depth * Math.sqrt(price);
  }

  double baseUsd() {
    return price * quoteUsd;
  }

  double sideUsd() {
    return quote() * quoteUsd;
  }

  double reserveUsd() {
    return 2 * sideUsd();
  }
}
