package io.tidemark.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * What one comparison came to: medians of its rounds.
 *
 * @param name of the part, and of the size where it has several
 * @param unit of both figures
 * @param ratio of the two, such that more is better
 * @param lowestRatio the ratio of the worst round
 * @param highestRatio the ratio of the best round
 * @param rounds how many there were
 * @param reach what the ratio should be at least
 */
public record BenchResult(String name, String unit, double ours, double limit, double ratio, double lowestRatio,
    double highestRatio, int rounds, double reach) {

  /** One round. */
  record Round(double ours, double limit) {}

  /** A result where more is better, such as a throughput: the ratio is ours divided by the limit. */
  static BenchResult moreIsBetter(String name, String unit, List<Round> rounds, double reach) {
    return of(name, unit, rounds, round -> round.ours() / round.limit(), reach);
  }

  /** A result where less is better, such as a time: the ratio is the limit divided by ours. */
  static BenchResult lessIsBetter(String name, String unit, List<Round> rounds, double reach) {
    return of(name, unit, rounds, round -> round.limit() / round.ours(), reach);
  }

  private static BenchResult of(
      String name, String unit, List<Round> rounds, ToDoubleFunction<Round> ratio, double reach) {
    var ratios = rounds.stream().mapToDouble(ratio).summaryStatistics();
    return new BenchResult(name, unit, median(rounds, Round::ours), median(rounds, Round::limit), median(rounds, ratio),
        ratios.getMin(), ratios.getMax(), rounds.size(), reach);
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> of) {
    return median(rounds.stream().mapToDouble(of));
  }

  static double median(DoubleStream values) {
    var sorted = values.sorted().toArray();
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** The same with another aim. */
  BenchResult withReach(double aim) {
    return new BenchResult(name, unit, ours, limit, ratio, lowestRatio, highestRatio, rounds, aim);
  }

  /** Whether the ratio is what it should be. */
  public boolean isReached() {
    return ratio >= reach;
  }
}
