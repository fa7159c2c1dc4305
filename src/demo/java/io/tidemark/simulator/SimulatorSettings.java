package io.tidemark.simulator;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a simulated market is computed from.
 *
 * @param seed of all random numbers; equal settings give equal markets
 * @param speed market seconds that pass in a real second, 0.1 to 100; more trades, launches and moves on the same clock
 * @param incident when the incident of the scenario begins; ignored where {@link Scenario#hasIncident} is false
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

  /** Tokens that are launched in an hour, by network. */
  public Map<String, Double> launchesPerHour() {
    return Arrays.stream(Network.values()).collect(Collectors.toMap(
        Network::id, network -> speed * scenario.launchRate() * network.launchesPerHour()));
  }
}
