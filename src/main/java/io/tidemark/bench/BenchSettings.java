package io.tidemark.bench;

import java.time.Duration;

/**
 * How long the bench measures.
 *
 * @param rounds how many times ours and the limit are measured in turn; the medians count
 * @param round how much processor time each is given in each round
 * @param warmUp how much processor time each is given before the first round
 */
public record BenchSettings(int rounds, Duration round, Duration warmUp) {
  /** Enough for figures that repeat within some percent. */
  public static final BenchSettings FULL = new BenchSettings(9, Duration.ofMillis(500), Duration.ofSeconds(5));

  /** Shows that all parts run; the figures mean nothing. */
  public static final BenchSettings SMOKE = new BenchSettings(1, Duration.ofMillis(20), Duration.ZERO);

  public BenchSettings {
    if (rounds < 1) {
      throw new IllegalArgumentException("rounds: must be at least 1, is " + rounds);
    }
  }
}
