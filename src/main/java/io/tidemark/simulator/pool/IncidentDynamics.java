package io.tidemark.simulator.pool;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.generator.Incident;
import io.tidemark.simulator.generator.JitteredSchedule;

/** The course of a pool that incidents strike. */
record IncidentDynamics(PoolDynamics usual, JitteredSchedule rhythm, Incident incident) implements PoolDynamics {
  private static final double PUMPED = 1.4;
  private static final double LEFT_OVER = 0.03;
  private static final double WASHED = 30;

  @Override
  public double price(long block, long time) {
    return usual.price(block, time) * (incident.hasBegun(Scenario.PUMP, time) ? PUMPED : 1);
  }

  @Override
  public double depth(long block) {
    return usual.depth(block) * (incident.hasBegun(Scenario.RUG_PULL, rhythm.timeOf(block)) ? LEFT_OVER : 1);
  }

  @Override
  public double quoteUsd(long time) {
    return usual.quoteUsd(time);
  }

  @Override
  public double churn(long block) {
    return usual.churn(block) * (incident.isOngoing(Scenario.WASH_TRADING, rhythm.timeOf(block)) ? WASHED : 1);
  }
}
