package io.tidemark.simulator;


/**
 * A young pool of a token that stands for no coin: trading ebbs away while the price rises or falls, and in some pools
 * nearly all liquidity is removed in one block.
 *
 * @param blocks after which nobody trades any more
 * @param start first price in quote tokens
 * @param quotes quote tokens at creation
 * @param pullBlock block in which liquidity is removed; {@link Long#MAX_VALUE} for never
 */
record YoungPoolDynamics(
    StatelessRandom random, long blocks, double start, double quotes, TokenValue quote, long pullBlock)
    implements PoolDynamics {
  private static final double PULLED_REMAINDER = 0.001;
  private static final double CRASH = 0.1;

  @Override
  public double price(long block, long time) {
    double age = block / (double) blocks;
    double drift = random.between(-5, 3, -1) * age;
    double excitement = walk((double) block) - walk(0);
    return start * StrictMath.exp(drift + excitement) * (block >= pullBlock ? CRASH : 1);
  }

  private double walk(double block) {
    return new RandomWalk(random, 1, 3, 0.03).at(block);
  }

  @Override
  public double depth(long block) {
    return quotes / Math.sqrt(start) * (block >= pullBlock ? PULLED_REMAINDER : 1);
  }

  @Override
  public double churn(long block) {
    double ebb = StrictMath.exp(-3.0 * block / blocks);
    return random.chance(0.3, ~block) ? 0 : 0.05 * ebb * random.between(0.2, 1.8, block);
  }
}
