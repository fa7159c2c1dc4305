package io.tidemark.bench;

import java.time.Duration;

/**
 * How long the bench measures.
 *
 * @param rounds how many times each part is measured; the medians count
 * @param round how much processor time each is given in each round
 * @param warmUp how much processor time each is given before the first round
 * @param resources how many are watched where that matters, pools and tokens together
 * @param readers how many read a feed
 * @param partitions of the topics where the work is divided, at most
 * @param history how much time of a demo a backtest reads
 */
public record BenchSettings(
    int rounds, Duration round, Duration warmUp, int resources, int readers, int partitions, Duration history) {
  private static final int LEAST_RESOURCES = 4_000;

  /** Enough for figures that repeat within some percent. */
  public static final BenchSettings FULL =
      new BenchSettings(5, Duration.ofMillis(500), Duration.ofSeconds(3), 100_000, 1_000, 6, Duration.ofHours(1));

  /** Shows that all parts run; the figures mean nothing. */
  public static final BenchSettings SMOKE =
      new BenchSettings(1, Duration.ofMillis(20), Duration.ZERO, 4_000, 10, 1, Duration.ofSeconds(20));

  public BenchSettings {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds: must be at least 1, is " + rounds);
    }
    if (resources < LEAST_RESOURCES) {
      throw new IllegalArgumentException("resources: at least %d, not %d".formatted(LEAST_RESOURCES, resources));
    }
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions: at least 1, not " + partitions);
    }
  }

  /** The same with a warm-up that is long enough for the compilers of the JVM to be done with much code. */
  BenchSettings withLongWarmUp() {
    return new BenchSettings(rounds, round, warmUp.multipliedBy(3), resources, readers, partitions, history);
  }

  /** The same with so many times as many rounds, for what varies much from round to round. */
  BenchSettings withTimesRounds(int times) {
    return new BenchSettings(rounds * times, round, warmUp, resources, readers, partitions, history);
  }

  /** The same with at most so many rounds. */
  BenchSettings atMost(int most) {
    return new BenchSettings(Math.min(rounds, most), round, warmUp, resources, readers, partitions, history);
  }
}
