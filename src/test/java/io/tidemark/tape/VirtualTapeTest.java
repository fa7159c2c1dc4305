package io.tidemark.tape;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulator.Scenario;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The laws of the tape over more of the market than there is time to wait for, and the same of it each time. */
class VirtualTapeTest {
  @ParameterizedTest
  @CsvSource({
      "CALM, everything, 2026-11-22T01:30:00Z",
      "CALM, material, 2026-11-22T01:30:00Z",
      "DIRTY_DATA, everything, 2026-11-22T01:30:00Z",
      "DIRTY_DATA, material, 2026-11-22T01:30:00Z",
  })
  void market_tapeIsWhatWasServed(Scenario scenario, String events, Instant start) throws IOException {
    try (var run = new VirtualRun(scenario, events, start, Long.getLong("seed", 3))) {
      run.pass(Duration.ofMinutes(3));
      run.startAgain();
      run.pass(Duration.ofMinutes(4));

      assertThat(run.check(events.equals("everything")).refused()).as("looks that disagreed").isPositive();
    }
  }
}
