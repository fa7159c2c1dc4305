package io.tidemark.simulator;

import java.time.Instant;

/**
 * What a simulated market is made from.
 *
 * @param seed which market: equal settings, equal market
 * @param speed market seconds that pass in a real one, 0.1 to 100: more trades, launches and moves, on the same clock
 * @param incident when what the scenario is named for happens; of no matter where {@link Scenario#hasIncident} is false
 */
public record SimulatorSettings(long seed, Scenario scenario, double speed, Instant incident) {
  /** At this speed every kind of resource but a coin's past day changes within two minutes. */
  public static final double DEMO_SPEED = 20;

  private static final Instant NEVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  public SimulatorSettings {
    if (!(speed >= 0.1 && speed <= 100)) {
      throw new IllegalArgumentException("speed: must be between 0.1 and 100, is " + speed);
    }
  }

  /** A market in which no incident happens. */
  public SimulatorSettings(long seed, Scenario scenario, double speed) {
    this(seed, scenario, speed, NEVER);
  }
}
