package io.tidemark.simulator;

/**
 * A pool that has long been there: its price keeps close to what both tokens cost elsewhere. Now and then liquidity
 * comes or goes, rarely nearly all of it.
 */
final class FairCourse implements Course {
  private static final double SLACK = 0.0003;
  private static final long STRETCH = 512;
  private static final double PULLED = 0.02;
  private static final double LEFT_OVER = 0.03;

  private final Noise noise;
  private final Worth base;
  private final Worth quote;
  private final double depth;
  private final double churn;
  private final boolean quiet;
  private final Walk bustle;

  /**
   * @param reserveUsd what it holds while prices are at their references
   * @param churn share of the quote balance that goes to and fro in an ordinary block
   * @param quiet whether liquidity stays and all blocks are ordinary
   */
  FairCourse(Noise noise, Worth base, Worth quote, double reserveUsd, double churn, boolean quiet) {
    this.noise = noise;
    this.base = base;
    this.quote = quote;
    double quotes = reserveUsd / 2 / quote.reference();
    this.depth = quotes / Math.sqrt(base.reference() / quote.reference());
    this.churn = churn;
    this.quiet = quiet;
    this.bustle = new Walk(noise.of("bustle"), 4, 5, 0.05);
  }

  @Override
  public double price(long block, long time) {
    return base.usd(time) / quote.usd(time) * (1 + SLACK * noise.normal(block));
  }

  @Override
  public double depth(long block) {
    long stretch = Math.floorDiv(block, STRETCH);
    double level = StrictMath.exp(0.1 * noise.normal(~stretch));
    return depth * (!quiet && noise.chance(PULLED, ~stretch) ? LEFT_OVER : level);
  }

  @Override
  public double quoteUsd(long time) {
    return quote.usd(time);
  }

  @Override
  public double churn(long block) {
    return quiet ? churn : churn * StrictMath.exp(bustle.at((double) block)) * noise.between(0, 2, block);
  }
}
