package io.tidemark.simulator;

import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The settings from which a simulated market is computed.
 *
 * @param seed seed of all random numbers; equal settings give equal markets
 * @param speed market seconds that pass in a real second, 0.1 to 100. A higher speed gives more trades, launches and
 *     moves in the same real time
 * @param incident time at which the incident of the scenario begins; ignored if {@link Scenario#hasIncident} is false
 */
public record SimulatorSettings(long seed, Scenario scenario, double speed, Instant incident) {
  /** Speed at which every kind of resource except a coin's past day changes within two minutes. */
  public static final double DEMO_SPEED = 20;

  private static final Instant NEVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  public SimulatorSettings {
    if (!(speed >= 0.1 && speed <= 100)) {
      throw new IllegalArgumentException("speed: must be between 0.1 and 100, got " + speed);
    }
  }

  /** Creates the settings of a market in which no incident happens. */
  public SimulatorSettings(long seed, Scenario scenario, double speed) {
    this(seed, scenario, speed, NEVER);
  }

  /** Returns the number of tokens that are launched in an hour of real time, by id of the network. */
  public Map<String, Double> launchesPerHour() {
    return Arrays.stream(Network.values()).collect(Collectors.toMap(
        Network::id, network -> speed * scenario.launchRate() * network.launchesPerHour()));
  }
}
