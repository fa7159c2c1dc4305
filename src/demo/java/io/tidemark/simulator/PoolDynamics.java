package io.tidemark.simulator;

import io.tidemark.simulator.PoolDirectory.PoolIncidents;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The effect of trading on a constant-product pool, block by block. The pool holds depth / sqrt(price) base tokens and
 * depth * sqrt(price) quote tokens.
 */
sealed interface PoolDynamics {
  /** Returns the price of a base token in quote tokens after a block at the given time in epoch milliseconds. */
  double price(long block, long time);

  /**
   * Returns the square root of the product of both balances. This root changes only if liquidity is added or removed.
   */
  double depth(long block);

  /** Returns the value of the quote token. */
  TokenValue quote();

  /**
   * Returns the share of the quote balance that is bought and sold again in a block, besides the trades that move the
   * price.
   */
  double churn(long block);

  /**
   * An established pool, whose price follows the values of both tokens. Now and then liquidity is added or removed;
   * rarely, nearly all of it is removed for a stretch of blocks. Incidents change price, liquidity and trading.
   *
   * @param reserveUsd value of the pool in USD while the prices of both tokens are at their reference values
   * @param ordinaryChurn share of the quote balance that is traded in an ordinary block
   * @param liveliness random walk over blocks, whose factor multiplies the ordinary churn
   * @param quiet whether, without an incident, nearly all of the liquidity is never removed, and the churn stays the
   *     same; the usual changes of liquidity go on
   */
  record EstablishedPoolDynamics(
      StatelessRandom random, JitteredSchedule schedule, TokenValue base, TokenValue quote, double reserveUsd,
      double ordinaryChurn, RandomWalk liveliness, boolean quiet, PoolIncidents incidents)
      implements PoolDynamics {
    private static final double DEVIATION = 0.0003;

    /** Number of blocks in which liquidity stays the same. */
    private static final long STRETCH = 512;

    private static final double PULLED = 0.02;
    private static final double PULLED_REMAINDER = 0.03;
    private static final double PUMP_FACTOR = 1.4;
    private static final double WASH_TRADING_FACTOR = 30;

    EstablishedPoolDynamics(StatelessRandom random, JitteredSchedule schedule, TokenValue base, TokenValue quote,
        double reserveUsd, double ordinaryChurn, boolean quiet, PoolIncidents incidents) {
      this(random, schedule, base, quote, reserveUsd, ordinaryChurn,
          new RandomWalk(random.derive("bustle"), 4, 5, 0.05), quiet, incidents);
    }

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
      double usual =
          quiet ? ordinaryChurn : ordinaryChurn * liveliness.factor((double) block) * random.between(0, 2, block);
      return usual * (incidents.washTrading().isOngoing(schedule.timeOf(block)) ? WASH_TRADING_FACTOR : 1);
    }
  }

  /**
   * A young pool of a token that stands for no coin. Trading ebbs away while the price rises or falls. In some pools
   * nearly all liquidity is removed in one block.
   *
   * @param blocks number of blocks after which nobody trades any more
   * @param start first price in quote tokens
   * @param quotes number of quote tokens at creation
   * @param pullBlock block in which liquidity is removed; {@link Long#MAX_VALUE} for never
   * @param excitement random walk over blocks of the price's logarithm
   * @param atFirst value of the random walk at creation
   */
  record YoungPoolDynamics(StatelessRandom random, long blocks, double start, double quotes, TokenValue quote,
      long pullBlock, RandomWalk excitement, double atFirst)
      implements PoolDynamics {
    private static final double PULLED_REMAINDER = 0.001;
    private static final double CRASH = 0.1;

    YoungPoolDynamics(
        StatelessRandom random, long blocks, double start, double quotes, TokenValue quote, long pullBlock) {
      this(random, blocks, start, quotes, quote, pullBlock, new RandomWalk(random, 1, 3, 0.03));
    }

    private YoungPoolDynamics(StatelessRandom random, long blocks, double start, double quotes, TokenValue quote,
        long pullBlock, RandomWalk excitement) {
      this(random, blocks, start, quotes, quote, pullBlock, excitement, excitement.at(0));
    }

    @Override
    public double price(long block, long time) {
      double age = block / (double) blocks;
      double drift = random.between(-5, 3, -1) * age;
      double excited = excitement.at((double) block) - atFirst;
      return start * StrictMath.exp(drift + excited) * (block >= pullBlock ? CRASH : 1);
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

  /**
   * A bonding curve: a constant product over virtual balances. Buyers take tokens from it until they have paid in the
   * whole goal, or until they lose interest and sell again.
   *
   * @param blocks number of blocks after which the curve ends
   * @param initial share of the goal that is raised at creation
   * @param peak approximate largest share that is ever raised of the part of the goal after {@code initial}; at 1 the
   *     token graduates
   */
  record BondingCurveDynamics(StatelessRandom random, long blocks, double initial, double peak, TokenValue quote)
      implements PoolDynamics {
    /** Number of quote tokens that buyers must pay until the token graduates. */
    static final double GOAL = 85;

    /** Virtual balance of quote tokens at creation. */
    static final double VIRTUAL_QUOTE = 30;

    private static final double VIRTUAL_BASE = 1.073e9;
    private static final double DEPTH = Math.sqrt(VIRTUAL_BASE * VIRTUAL_QUOTE);

    /** Price at graduation, in quote tokens. */
    static final double GRADUATION_PRICE = square((VIRTUAL_QUOTE + GOAL) / DEPTH);

    /** Returns the share of the goal that is raised after a block. */
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

  /**
   * The value of a token outside its pools. Prices in established pools follow this value. The last value read is
   * remembered, because a block reads the value several times. Thread-safe.
   */
  final class TokenValue {
    private final double reference;
    private final LongToDoubleFunction usd;
    private @Nullable ValueAt last;

    private record ValueAt(long at, double usd) {}

    /**
     * @param reference USD around which the value wanders
     * @param usd returns the value in USD at a time in epoch milliseconds
     */
    TokenValue(double reference, LongToDoubleFunction usd) {
      this.reference = reference;
      this.usd = usd;
    }

    double reference() {
      return reference;
    }

    double usd(long at) {
      var known = last;
      if (known == null || known.at != at) {
        known = new ValueAt(at, usd.applyAsDouble(at));
        last = known;
      }
      return known.usd;
    }
  }
}
