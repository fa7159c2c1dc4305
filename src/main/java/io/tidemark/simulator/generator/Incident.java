package io.tidemark.simulator.generator;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import io.tidemark.simulator.pool.SimulatedToken;
import java.time.Duration;

/**
 * What a scenario makes happen in an otherwise quiet market, and when.
 *
 * @param from epoch milliseconds at which it begins
 */
public record Incident(Scenario scenario, long from) {
  private static final long LENGTH = Duration.ofMinutes(30).toMillis();

  /** The token whose pool it strikes, where it strikes one: known to this market alone. */
  private static final String VICTIM = "MIRA";

  public static Incident of(SimulatorSettings settings) {
    return new Incident(settings.scenario(), settings.incident().toEpochMilli());
  }

  /** Whether nothing else happens. */
  public boolean isQuiet() {
    return scenario.isQuiet();
  }

  public boolean is(Scenario which) {
    return scenario == which;
  }

  /** Whether it has begun: for what stays. */
  public boolean hasBegun(Scenario which, long at) {
    return is(which) && at >= from;
  }

  /** Whether it goes on: for what passes after half an hour. */
  public boolean isOngoing(Scenario which, long at) {
    return hasBegun(which, at) && at < from + LENGTH;
  }

  /** How far it is, from 0 to 1: for what comes gradually and stays. */
  public double progress(Scenario which, long at) {
    return is(which) ? Math.clamp((at - from) / (double) LENGTH, 0, 1) : 0;
  }

  public boolean affects(SimulatedToken base) {
    return base.coin() == null && base.symbol().equals(VICTIM);
  }
}
