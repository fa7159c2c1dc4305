package io.tidemark.simulator.generator;

/**
 * Things that happen again and again at uneven times, one in each period.
 *
 * @param origin epoch milliseconds at which number 0's period begins
 * @param period in milliseconds
 */
public record JitteredSchedule(StatelessRandom random, long origin, long period) {
  private static final double LATEST = 0.9;

  /** When number n happens, in epoch milliseconds. */
  public long timeOf(long number) {
    return origin + number * period + (long) (random.uniform(number) * LATEST * period);
  }

  /** Number of the last that happened by then; -1 before the first. */
  public long numberAt(long at) {
    long number = Math.floorDiv(at - origin, period);
    return timeOf(number) <= at ? number : number - 1;
  }
}
