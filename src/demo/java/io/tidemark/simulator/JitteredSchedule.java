package io.tidemark.simulator;

/**
 * The times of a repeated, numbered occurrence. There is one occurrence in each period, at a random time within the
 * first nine tenths of the period.
 *
 * @param origin epoch milliseconds at which the period of number 0 begins
 * @param period length of a period in milliseconds
 */
record JitteredSchedule(StatelessRandom random, long origin, long period) {
  private static final double LATEST = 0.9;

  /** Returns the time, in epoch milliseconds, of the occurrence with the given number. */
  long timeOf(long number) {
    return origin + number * period + (long) (random.uniform(number) * LATEST * period);
  }

  /** Returns the number of the last occurrence at or before a time. Numbers before {@code origin} are negative. */
  long numberAt(long at) {
    long number = Math.floorDiv(at - origin, period);
    return timeOf(number) <= at ? number : number - 1;
  }
}
