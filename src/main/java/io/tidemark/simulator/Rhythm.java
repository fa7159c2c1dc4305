package io.tidemark.simulator;

/**
 * Things that happen again and again at uneven times, one in each period.
 *
 * @param origin epoch milliseconds at which number 0's period begins
 * @param period in milliseconds
 */
record Rhythm(Noise noise, long origin, long period) {
  private static final double LATEST = 0.9;

  /** When number n happens, in epoch milliseconds. */
  long time(long number) {
    return origin + number * period + (long) (noise.unit(number) * LATEST * period);
  }

  /** Number of the last that happened by then; -1 before the first. */
  long last(long at) {
    long number = Math.floorDiv(at - origin, period);
    return time(number) <= at ? number : number - 1;
  }
}
