package io.tidemark.capture.poll;

/**
 * The rate at which a resource changes: a number of changes, and the seconds in which they were counted. The rate is
 * learned from polls, which tell only whether the resource changed and not how often. It is the mean of a Gamma
 * distribution in which the weight of earlier observations is halved every hour, but at most once for each gap
 * between two snapshots. The rate counts changes that are published. It does not count changes of values over a
 * moving window of time.
 */
public record ChangeRate(double changes, double seconds) {
  private static final double HALF_LIFE_SECONDS = 3600;

  /**
   * Minimum part of the changes and seconds counted so far that is kept after a gap between two snapshots, however long
   * the gap is.
   */
  private static final double LEAST_KEPT = 0.5;

  /**
   * Maximum weight, in changes, of the count that a first answer gives, such as trades in 24 hours. A rate that comes
   * only from this count must stay easy to correct.
   */
  private static final double MOST_SEEDED = 5;

  /** Returns the changes per second. */
  public double perSecond() {
    return changes / seconds;
  }

  /** Returns whether an earlier session can have learned this rate. */
  boolean isPlausible() {
    return changes > 0 && seconds > 0 && changes < 1e9 && seconds < 1e12;
  }

  /** Returns a first estimate from the count that an answer gives for a window of time, such as trades in 24 hours. */
  static ChangeRate seeded(double typicalInterval, double count, double windowSeconds) {
    var changes = Math.min(MOST_SEEDED, 1 + count);
    return new ChangeRate(changes, changes * (typicalInterval + windowSeconds) / (1 + count));
  }

  /**
   * Returns this rate, updated by a comparison of two successive snapshots. If the snapshots differ, this counts as
   * the number of changes expected at the rate so far, given that there was at least one change. It counts as no more
   * changes than there can have been refreshes of the cache.
   *
   * @param gap seconds between the snapshots; the rate stays as it is unless they are above 0
   * @param typicalInterval typical seconds between two changes of a resource of this kind, assumed before this
   *     resource's rate is learned
   */
  ChangeRate observed(double gap, boolean changed, double period, double typicalInterval) {
    if (!(gap > 0)) {
      return this;
    }
    var kept = Math.max(LEAST_KEPT, Math.pow(2, -gap / HALF_LIFE_SECONDS));
    var counted = 0.0;
    if (changed) {
      var expected = gap * perSecond();
      counted = Math.min(expected < 1e-6 ? 1 : expected / -Math.expm1(-expected), gap / period + 1);
    }
    return new ChangeRate(
        kept * changes + counted + (1 - kept) / 2, kept * seconds + gap + (1 - kept) / 2 * typicalInterval);
  }
}
