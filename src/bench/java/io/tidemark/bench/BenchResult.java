package io.tidemark.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What a measurement came to, beside its aim: medians of its rounds.
 *
 * @param name of the part, and of the size where it has several
 * @param unit of all figures
 * @param aim what should be measured, at least where more is better, else at most
 * @param isMost whether less is better
 * @param limit what it is compared with, as information; NaN where there is nothing
 * @param ratio of measured and limit, such that more is better
 * @param lowestRatio the ratio of the worst round
 * @param highestRatio the ratio of the best round
 * @param rounds how many there were
 * @param plan how much of the unit the largest plan needs; 0 where that says nothing
 */
public record BenchResult(String name, String unit, double measured, double aim, boolean isMost, double limit,
    double ratio, double lowestRatio, double highestRatio, int rounds, double plan) {

  /** The largest plan: 1,000 calls a minute. */
  static final double PLAN_CALLS = 1_000 / 60.0;

  /** Pools a second that the largest plan shows, with pages of 20. */
  static final double PLAN_POOLS = PLAN_CALLS * SimulatedPages.POOLS;

  /** How many times the largest plan one core should do. */
  static final double TIMES_PLAN = 20;

  /** Flat within 20 %. */
  private static final double FLAT = 1 / 1.2;

  /** One round; the limit is NaN where there is none. */
  record Round(double ours, double limit) {
    Round(double ours) {
      this(ours, Double.NaN);
    }
  }

  /** A result where more is better, such as a throughput: the ratio is ours divided by the limit. */
  static BenchResult moreIsBetter(String name, String unit, List<Round> rounds, double aim) {
    return of(name, unit, rounds, round -> round.ours() / round.limit(), aim, false);
  }

  /** A result where less is better, such as a time: the ratio is the limit divided by ours. */
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

  /** The capacity of one core, where the largest plan needs so much: many times that is the aim. */
  BenchResult ofPlan(double needed) {
    return new BenchResult(name, unit, measured, TIMES_PLAN * needed, isMost, limit, ratio, lowestRatio, highestRatio,
        rounds, needed);
  }

  /** The aim is what was measured with fewer, which is the limit. */
  BenchResult flat() {
    return new BenchResult(name, unit, measured, FLAT * limit, isMost, limit, ratio, lowestRatio, highestRatio, rounds,
        plan);
  }

  /** How many times the largest plan one core does; NaN where that says nothing. */
  public double timesPlan() {
    return plan == 0 ? Double.NaN : measured / plan;
  }

  /** Whether the aim is held. */
  public boolean isReached() {
    return isMost ? measured <= aim : measured >= aim;
  }
}
