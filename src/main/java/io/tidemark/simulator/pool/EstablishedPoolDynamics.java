package io.tidemark.simulator.pool;

import io.tidemark.simulator.generator.RandomWalk;
import io.tidemark.simulator.generator.StatelessRandom;

/**
 * A pool that has long been there: its price keeps close to what both tokens cost elsewhere. Now and then liquidity
 * comes or goes, rarely nearly all of it.
 */
final class EstablishedPoolDynamics implements PoolDynamics {
  private static final double SLACK = 0.0003;
  private static final long STRETCH = 512;
  private static final double PULLED = 0.02;
  private static final double LEFT_OVER = 0.03;

  private final StatelessRandom random;
  private final TokenValue base;
  private final TokenValue quote;
  private final double depth;
  private final double churn;
  private final boolean quiet;
  private final RandomWalk bustle;

  /**
   * @param reserveUsd what it holds while prices are at their references
   * @param churn share of the quote balance that goes to and fro in an ordinary block
   * @param quiet whether liquidity stays and all blocks are ordinary
   */
  EstablishedPoolDynamics(StatelessRandom random, TokenValue base, TokenValue quote, double reserveUsd, double churn,
      boolean quiet) {
    this.random = random;
    this.base = base;
    this.quote = quote;
    double quotes = reserveUsd / 2 / quote.reference();
    this.depth = quotes / Math.sqrt(base.reference() / quote.reference());
    this.churn = churn;
    this.quiet = quiet;
    this.bustle = new RandomWalk(random.derive("bustle"), 4, 5, 0.05);
  }

  @Override
  public double price(long block, long time) {
    return base.usd(time) / quote.usd(time) * (1 + SLACK * random.normal(block));
  }

  @Override
  public double depth(long block) {
    long stretch = Math.floorDiv(block, STRETCH);
    double level = StrictMath.exp(0.1 * random.normal(~stretch));
    return depth * (!quiet && random.chance(PULLED, ~stretch) ? LEFT_OVER : level);
  }

  @Override
  public double quoteUsd(long time) {
    return quote.usd(time);
  }

  @Override
  public double churn(long block) {
    return quiet ? churn : churn * StrictMath.exp(bustle.at((double) block)) * random.between(0, 2, block);
  }
}
