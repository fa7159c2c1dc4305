package io.tidemark.simulator;

/**
 * How trading changes a constant-product pool, block by block. The pool holds depth / sqrt(price) base tokens and depth
 * * sqrt(price) quote tokens.
 */
sealed interface PoolDynamics permits EstablishedPoolDynamics, YoungPoolDynamics, BondingCurveDynamics {
  /** Quote tokens for one base token after a block at a time in epoch milliseconds. */
  double price(long block, long time);

  /** Square root of the product of both balances; it changes only where liquidity is added or removed. */
  double depth(long block);

  /** Value of the quote token. */
  TokenValue quote();

  /** Share of the quote balance that is bought and sold again in a block, besides the trades that move the price. */
  double churn(long block);
}
