package io.tidemark.simulator;

import io.tidemark.market.MarketData;
import io.tidemark.market.MarketDataContract;
import java.time.Instant;
import java.time.InstantSource;

class SimulatorContractTest extends MarketDataContract {
  private static final Instant NOW = Instant.parse("2026-05-05T12:34:56Z");
  private static final Simulator SIMULATOR = new Simulator(
      new SimulatorSettings(1, Scenario.CALM, SimulatorSettings.DEMO_SPEED), InstantSource.fixed(NOW));

  @Override
  protected MarketData market() {
    return SIMULATOR;
  }

  @Override
  protected Instant now() {
    return NOW;
  }
}
