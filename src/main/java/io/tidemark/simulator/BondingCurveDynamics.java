package io.tidemark.simulator;


/**
 * A bonding curve: a constant product over virtual balances from which buyers take tokens until the goal is raised, or
 * until they lose interest and sell again.
 *
 * @param blocks after which it ends
 * @param initial share of the goal that is raised at creation
 * @param peak largest share of the goal that is ever raised; at 1 the token graduates
 */
record BondingCurveDynamics(StatelessRandom random, long blocks, double initial, double peak, TokenValue quote)
    implements PoolDynamics {
  /** Quote tokens that must be raised. */
  static final double GOAL = 85;

  /** Virtual quote tokens at creation. */
  static final double VIRTUAL_QUOTE = 30;

  private static final double VIRTUAL_BASE = 1.073e9;
  private static final double DEPTH = Math.sqrt(VIRTUAL_BASE * VIRTUAL_QUOTE);

  /** Price at graduation, in quote tokens. */
  static final double GRADUATION_PRICE = square((VIRTUAL_QUOTE + GOAL) / DEPTH);

  /** Share of the goal that is raised after a block. */
  double raised(long block) {
    double age = Math.min(1, block / (double) blocks);
    double shape = graduates() ? age : 4 * age * (1 - age);
    double rest = peak * shape * (1 + 0.2 * (1 - age) * random.normal(block));
    return Math.clamp(initial + (1 - initial) * rest, 0, 1);
  }

  boolean graduates() {
    return peak >= 1;
  }

  @Override
  public double price(long block, long time) {
    return square((VIRTUAL_QUOTE + GOAL * raised(block)) / DEPTH);
  }

  @Override
  public double depth(long block) {
    return DEPTH;
  }

  @Override
  public double churn(long block) {
    return random.chance(0.4, ~block) ? 0 : random.between(0.001, 0.02, block);
  }

  private static double square(double value) {
    return value * value;
  }
}
