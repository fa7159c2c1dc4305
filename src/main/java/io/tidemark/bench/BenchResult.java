package io.tidemark.bench;

/**
 * What one comparison came to.
 *
 * @param name of the part, and of the size where it has several
 * @param unit of both figures
 * @param ratio of the two, such that more is better
 * @param reach what the ratio should be at least
 */
public record BenchResult(String name, String unit, double ours, double limit, double ratio, double reach) {
  /** Whether the ratio is what it should be. */
  public boolean isReached() {
    return ratio >= reach;
  }
}
