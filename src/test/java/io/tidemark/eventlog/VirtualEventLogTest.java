package io.tidemark.eventlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulator.Scenario;
import io.tidemark.simulator.SimulatorSettings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The laws of the event log in virtual time, over minutes of the market in which a law was once broken. */
class VirtualEventLogTest {
  @ParameterizedTest
  @CsvSource({
    "CALM, everything, 2026-11-22T01:33:00Z, 3, 1",
    "DIRTY_DATA, everything, 2026-11-26T08:00:11.584Z, 835006, 1",
    "DIRTY_DATA, material, 2026-11-22T01:32:50Z, 4, 3",
  })
  void market_eventLogIsWhatWasServed(Scenario scenario, String events, Instant start, long seed, int minutes)
      throws IOException {
    try (var run = new VirtualRun(new SimulatorSettings(7, scenario, 100), events, start, seed)) {
      run.pass(Duration.ofMinutes(minutes));
      run.startAgain();
      run.pass(Duration.ofMinutes(minutes));
      InterfaceCoverage coverage = run.check(events.equals("everything"));

      assertThat(coverage.changes()).anyMatch(change -> !change.origin().getBaseline());
      assertThat(coverage.refused()).as("answers that disagreed").isPositive();
    }
  }
}
