package io.tidemark.simulator.pool;

import io.tidemark.simulator.generator.RandomWalk;
import io.tidemark.simulator.generator.StatelessRandom;

/**
 * A young pool of a token without a coin: excitement that ebbs away, up or down, and for some the day on which nearly
 * all liquidity is pulled.
 *
 * @param blocks after which nobody trades any more
 * @param start first price in quote tokens
 * @param quotes quote tokens it begins with
 * @param quote what a quote token costs
 * @param pullBlock block in which liquidity is pulled; {@link Long#MAX_VALUE} for never
 */
record YoungPoolDynamics(StatelessRandom random, long blocks, double start, double quotes, TokenValue quote,
    long pullBlock) implements PoolDynamics {
  private static final double LEFT_OVER = 0.001;
  private static final double CRASH = 0.1;

  @Override
  public double price(long block, long time) {
    double age = block / (double) blocks;
    double drift = random.between(-5, 3, -1) * age;
    double excitement = mood((double) block) - mood(0);
    return start * StrictMath.exp(drift + excitement) * (block >= pullBlock ? CRASH : 1);
  }

  private double mood(double block) {
    return new RandomWalk(random, 1, 3, 0.03).at(block);
  }

  @Override
  public double depth(long block) {
    return quotes / Math.sqrt(start) * (block >= pullBlock ? LEFT_OVER : 1);
  }

  @Override
  public double quoteUsd(long time) {
    return quote.usd(time);
  }

  @Override
  public double churn(long block) {
    double ebb = StrictMath.exp(-3.0 * block / blocks);
    return random.chance(0.3, ~block) ? 0 : 0.05 * ebb * random.between(0.2, 1.8, block);
  }
}
