package io.tidemark.simulator.pool;

/**
 * Where trading takes a constant-product pool, block by block. With the price (quote tokens for one base token) and the
 * depth, the pool holds depth / sqrt(price) base tokens and depth * sqrt(price) quote tokens.
 */
interface PoolDynamics {
  /** Price after a block that was at a time in epoch milliseconds. */
  double price(long block, long time);

  /** Square root of the product of both balances; it changes only where liquidity is added or pulled. */
  double depth(long block);

  /** What a quote token cost at a time. */
  double quoteUsd(long time);

  /** Share of the quote balance that went in and came out again in a block, besides what moved the price. */
  double churn(long block);
}
