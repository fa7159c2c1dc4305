package io.tidemark.poll;

/**
 * How often a resource changes: what was counted, and in how many seconds. It is learned from polls that tell only whether
 * the resource changed: the mean of a Gamma distribution that forgets what is older than some hours. The rate counts
 * changes that are published, not moving windows.
 */
public record ChangeRate(double changes, double seconds) {
  private static final double HALF_LIFE_SECONDS = 3600;

  /** A single gap, however long, leaves at least half of what was known. */
  private static final double LEAST_KEPT = 0.5;

  /** Changes that a first answer may count for. A rate that was only counted must stay easy to correct. */
  private static final double MOST_SEEDED = 5;

  /** Changes a second. */
  public double perSecond() {
    return changes / seconds;
  }

  /** Whether an earlier session can have learned it. */
  boolean isPlausible() {
    return changes > 0 && seconds > 0 && changes < 1e9 && seconds < 1e12;
  }

  /** A first estimate from what an answer counts in a window of time, such as trades in 24 hours. */
  static ChangeRate seeded(double typicalInterval, double count, double windowSeconds) {
    var changes = Math.min(MOST_SEEDED, 1 + count);
    return new ChangeRate(changes, changes * (typicalInterval + windowSeconds) / (1 + count));
  }

  /**
   * Learns from two successive snapshots. A change counts for the number that is expected given at least one, by the rate
   * so far, and for no more than there were refreshes.
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
