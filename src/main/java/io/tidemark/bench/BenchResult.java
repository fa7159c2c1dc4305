package io.tidemark.bench;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What one comparison came to.
 *
 * @param name of the part, and of the size where it has several
 * @param unit of both figures
 * @param ratio of the two, such that more is better
 * @param reach what the ratio should be at least
 */
public record BenchResult(String name, String unit, double ours, double limit, double ratio, double reach) {
  /**
   * The medians of rounds.
   *
   * @param rounds what ours and the limit came to in each
   */
  static BenchResult ofRounds(String name, String unit, List<double[]> rounds, double reach) {
    return new BenchResult(name, unit, median(rounds, each -> each[0]), median(rounds, each -> each[1]),
        median(rounds, each -> each[0] / each[1]), reach);
  }

  private static double median(List<double[]> rounds, ToDoubleFunction<double[]> of) {
    return Comparison.median(rounds.stream().mapToDouble(of).toArray());
  }

  /** Whether the ratio is what it should be. */
  public boolean isReached() {
    return ratio >= reach;
  }
}
