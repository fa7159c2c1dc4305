package io.tidemark.poll;

/**
 * How often a resource changes, learned from polls that tell only whether it changed: the mean of a Gamma distribution
 * that forgets what is older than some hours. The rate counts changes that are published, not moving windows.
 */
final class ChangeRate {

  private static final double HALF_LIFE_SECONDS = 3600;
  /** A single gap, however long, leaves at least half of what was known. */
  private static final double LEAST_KEPT = 0.5;
  /** Changes that a first answer may count for. A rate that was only counted must stay easy to correct. */
  private static final double MOST_SEEDED = 5;

  private final double typicalInterval;
  private double changes;
  private double seconds;

  /** @param typicalInterval seconds between two changes of such a resource, before anything is known of this one */
  ChangeRate(double typicalInterval) {
    this.typicalInterval = typicalInterval;
    this.changes = 1;
    this.seconds = typicalInterval;
  }

  /** Changes a second. */
  double perSecond() {
    return changes / seconds;
  }

  /** Changes and seconds, whose quotient is the rate. */
  double changes() {
    return changes;
  }

  double seconds() {
    return seconds;
  }

  /** Continues with what an earlier session learned. */
  void restore(double learnedChanges, double learnedSeconds) {
    if (learnedChanges > 0 && learnedSeconds > 0 && learnedChanges < 1e9 && learnedSeconds < 1e12) {
      changes = learnedChanges;
      seconds = learnedSeconds;
    }
  }

  /** Takes a first estimate from what an answer counts in a window of time, such as trades in 24 hours. */
  void seed(double count, double windowSeconds) {
    var estimate = (1 + count) / (typicalInterval + windowSeconds);
    changes = Math.min(MOST_SEEDED, 1 + count);
    seconds = changes / estimate;
  }

  /**
   * Learns from two successive snapshots. A change counts for the number that is expected given at least one, by the rate
   * so far, and for no more than there were refreshes.
   *
   * @param gap seconds between the snapshots
   */
  void observe(double gap, boolean changed, double period) {
    if (!(gap > 0)) {
      return;
    }
    var kept = Math.max(LEAST_KEPT, Math.pow(2, -gap / HALF_LIFE_SECONDS));
    var counted = 0.0;
    if (changed) {
      var expected = gap * perSecond();
      counted = Math.min(expected < 1e-6 ? 1 : expected / -Math.expm1(-expected), gap / period + 1);
    }
    changes = kept * changes + counted + (1 - kept) / 2;
    seconds = kept * seconds + gap + (1 - kept) / 2 * typicalInterval;
  }
}
