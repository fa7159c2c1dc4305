package io.tidemark.capture.poll;

/**
 * The rate at which a resource changes: a number of changes, and the seconds in which they were counted. It is
 * learned from polls that tell only whether the resource changed. It is the mean of a Gamma distribution that forgets
 * observations older than a few hours. The rate counts changes that are published, not moving windows.
 */
public record ChangeRate(double changes, double seconds) {
  private static final double HALF_LIFE_SECONDS = 3600;

  /** Minimum part of the knowledge so far that a single gap leaves, however long it is. */
  private static final double LEAST_KEPT = 0.5;

  /**
   * Maximum number of changes that a first answer may count for. A rate that comes from a count alone must stay easy
   * to correct.
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
   * Learns from two successive snapshots. An observed change counts as the number of changes expected at the rate so
   * far, given at least one, but as no more than the number of refreshes.
   *
   * @param gap seconds between the snapshots
   * @param typicalInterval seconds between two changes of such a resource, before anything is known of this one
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
