package io.tidemark.bench;

import java.time.Duration;

/**
 * The settings of the bench, which decide how long it measures.
 *
 * @param rounds number of times that each part is measured; results are the medians
 * @param round processor time of each part in each round
 * @param warmUp processor time of each part before the first round
 * @param resources number of watched pools and tokens together, in parts for which this number matters
 * @param readers number of readers of a feed
 * @param partitions maximum number of partitions of the topics in parts that divide the work
 * @param history length of the history of a demo that a backtest reads
 */
public record BenchSettings(
    int rounds, Duration round, Duration warmUp, int resources, int readers, int partitions, Duration history) {
  private static final int LEAST_RESOURCES = 400;

  /** Settings that give figures that repeat within a few percent. */
  public static final BenchSettings FULL =
      new BenchSettings(5, Duration.ofMillis(500), Duration.ofSeconds(3), 100_000, 1_000, 6, Duration.ofHours(1));

  /** Settings that only show that all parts run; the figures mean nothing. */
  public static final BenchSettings SMOKE =
      new BenchSettings(1, Duration.ofMillis(20), Duration.ZERO, LEAST_RESOURCES, 10, 1, Duration.ofSeconds(20));

  public BenchSettings {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds: must be at least 1, got " + rounds);
    }
    if (resources < LEAST_RESOURCES) {
      throw new IllegalArgumentException(
          "resources: must be at least %d, got %d".formatted(LEAST_RESOURCES, resources));
    }
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions: must be at least 1, got " + partitions);
    }
  }

  /** Returns these settings with a warm-up that is long enough for the JVM to compile much code. */
  BenchSettings withLongWarmUp() {
    return new BenchSettings(rounds, round, warmUp.multipliedBy(3), resources, readers, partitions, history);
  }

  /** Returns these settings with {@code times} as many rounds, for results that differ much from round to round. */
  BenchSettings withTimesRounds(int times) {
    return new BenchSettings(rounds * times, round, warmUp, resources, readers, partitions, history);
  }

  /** Returns these settings with at most the given number of rounds. */
  BenchSettings atMost(int most) {
    return new BenchSettings(Math.min(rounds, most), round, warmUp, resources, readers, partitions, history);
  }
}
