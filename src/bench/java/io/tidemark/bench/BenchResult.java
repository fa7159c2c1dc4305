package io.tidemark.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * The result of a measurement and its aim. Its figures are medians of the rounds.
 *
 * @param name name of the part, and of the size if the part has several
 * @param unit unit of all figures
 * @param aim smallest value that the measured value should have if more is better, or largest value if less is better
 * @param isMost whether less is better
 * @param limit value that the result is compared with, as information; NaN if there is none
 * @param ratio measured value divided by the limit, or limit divided by the measured value if less is better
 * @param lowestRatio the ratio of the worst round
 * @param highestRatio the ratio of the best round
 * @param rounds number of rounds
 * @param plan amount that the largest plan needs, in the unit of the result; 0 if a comparison with a plan means
 *     nothing
 */
public record BenchResult(String name, String unit, double measured, double aim, boolean isMost, double limit,
    double ratio, double lowestRatio, double highestRatio, int rounds, double plan) {

  /** Calls per second of the largest plan, which has 1,000 calls a minute. */
  static final double PLAN_CALLS = 1_000 / 60.0;

  /** Pools per second that the largest plan shows, with pages of 20. */
  static final double PLAN_POOLS = PLAN_CALLS * SimulatedPages.POOLS;

  /** Number of times that one core should be able to handle the largest plan. */
  static final double TIMES_PLAN = 20;

  /**
   * Fraction of the limit that a result must reach so that a change costs at most 20 % more than in the measurement of
   * the limit.
   */
  private static final double FLAT = 1 / 1.2;

  /** The measured value of one round ({@code ours}) and the limit of the round, which is NaN if there is none. */
  record Round(double ours, double limit) {
    Round(double ours) {
      this(ours, Double.NaN);
    }
  }

  /**
   * Returns a result for which more is better, such as a throughput. The ratio is the measured value divided by the
   * limit.
   */
  static BenchResult moreIsBetter(String name, String unit, List<Round> rounds, double aim) {
    return of(name, unit, rounds, round -> round.ours() / round.limit(), aim, false);
  }

  /**
   * Returns a result for which less is better, such as a time. The ratio is the limit divided by the measured value.
   */
  static BenchResult lessIsBetter(String name, String unit, List<Round> rounds, double aim) {
    return of(name, unit, rounds, round -> round.limit() / round.ours(), aim, true);
  }

  private static BenchResult of(String name, String unit, List<Round> rounds, ToDoubleFunction<Round> ratio, double aim,
      boolean isMost) {
    var ratios = rounds.stream().mapToDouble(ratio).summaryStatistics();
    return new BenchResult(name, unit, median(rounds, Round::ours), aim, isMost, median(rounds, Round::limit),
        median(rounds, ratio), ratios.getMin(), ratios.getMax(), rounds.size(), 0);
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> of) {
    return median(rounds.stream().mapToDouble(of));
  }

  static double median(DoubleStream values) {
    var sorted = values.sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /**
   * Returns this result as the capacity of one core. Its aim is {@link #TIMES_PLAN} times the given amount, which the
   * largest plan needs.
   */
  BenchResult ofPlan(double needed) {
    return new BenchResult(name, unit, measured, TIMES_PLAN * needed, isMost, limit, ratio, lowestRatio, highestRatio,
        rounds, needed);
  }

  /** Returns this result with a new aim: the limit, which was measured with fewer resources, divided by 1.2. */
  BenchResult flat() {
    return new BenchResult(name, unit, measured, FLAT * limit, isMost, limit, ratio, lowestRatio, highestRatio, rounds,
        plan);
  }

  /** Returns how many times one core can handle the largest plan, or NaN if a comparison with a plan means nothing. */
  public double timesPlan() {
    return plan == 0 ? Double.NaN : measured / plan;
  }

  /** Returns whether the measured value reaches the aim. */
  public boolean isReached() {
    return isMost ? measured <= aim : measured >= aim;
  }
}
