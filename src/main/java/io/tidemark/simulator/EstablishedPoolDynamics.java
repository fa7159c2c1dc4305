package io.tidemark.simulator;

import io.tidemark.simulator.PoolDirectory.PoolIncidents;

/**
 * An established pool: its price follows the values of both tokens. Now and then liquidity is added or removed, rarely
 * nearly all of it. Incidents change price, liquidity and trading.
 *
 * @param reserveUsd value of the pool while prices are at their references
 * @param ordinaryChurn share of the quote balance that is traded in an ordinary block
 * @param quiet whether liquidity and churn are constant but for incidents
 */
record EstablishedPoolDynamics(
    StatelessRandom random, JitteredSchedule schedule, TokenValue base, TokenValue quote, double reserveUsd,
    double ordinaryChurn, boolean quiet, PoolIncidents incidents)
    implements PoolDynamics {
  private static final double DEVIATION = 0.0003;

  /** Blocks in which liquidity stays the same. */
  private static final long STRETCH = 512;

  private static final double PULLED = 0.02;
  private static final double PULLED_REMAINDER = 0.03;
  private static final double PUMP_FACTOR = 1.4;
  private static final double WASH_TRADING_FACTOR = 30;

  @Override
  public double price(long block, long time) {
    double fair = base.usd(time) / quote.usd(time) * (1 + DEVIATION * random.normal(block));
    return fair * (incidents.pump().hasBegun(time) ? PUMP_FACTOR : 1);
  }

  @Override
  public double depth(long block) {
    long stretch = Math.floorDiv(block, STRETCH);
    double level = StrictMath.exp(0.1 * random.normal(~stretch));
    double quotes = reserveUsd / 2 / quote.reference();
    double reference = quotes / Math.sqrt(base.reference() / quote.reference());
    double usual = reference * (!quiet && random.chance(PULLED, ~stretch) ? PULLED_REMAINDER : level);
    return usual * (incidents.rugPull().hasBegun(schedule.timeOf(block)) ? PULLED_REMAINDER : 1);
  }

  @Override
  public double churn(long block) {
    var liveliness = new RandomWalk(random.derive("bustle"), 4, 5, 0.05);
    double usual =
        quiet ? ordinaryChurn : ordinaryChurn * liveliness.factor((double) block) * random.between(0, 2, block);
    return usual * (incidents.washTrading().isOngoing(schedule.timeOf(block)) ? WASH_TRADING_FACTOR : 1);
  }
}
